import { buildShops, type Shop } from './click-world';
import type { Shot } from './load';
import type { Stage } from './stage';

/** One kind of request on a stage of its own. */
export interface Workload {
  /** Origin of the API. */
  api: string;
  makeRequest: (index: number) => Shot;
}

/** A limit that refuses nothing but is counted all the same. */
const highLimit = '100000000';
export const clickSettings = { RATE_LIMIT_TRACKING: highLimit, LOG_LEVEL: 'info' };

export const workloads: Record<string, (stage: Stage) => Promise<Workload>> = {
  async clicks(stage) {
    const shops = await buildShops(stage.db.manager, 1_000);
    const api = await stage.serve('api/main.js', clickSettings);
    return { api, makeRequest: (index) => clickOf(shops, index) };
  },
};

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export function clickOf(shops: readonly Shop[], index: number): Shot {
  const shop = shops[index % shops.length];
  return {
    path: '/v1/clicks',
    headers: {
      'Content-Type': 'text/plain;charset=UTF-8',
      Origin: 'https://shop.example',
      'User-Agent': browser,
    },
    body: JSON.stringify({
      key: shop?.key,
      ref: shop?.ref,
      url: `https://shop.example/?ref=${shop?.ref}`,
      referrer: 'https://blog.example/post',
    }),
  };
}
