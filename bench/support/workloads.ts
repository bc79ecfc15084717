import { buildShops, type Shop } from './click-world';
import {
  commissionIds,
  registerMerchant,
  seedCommissions,
  seedProgram,
  withoutTimeouts,
  type CommissionWorld,
} from './commission-world';
import type { Shot } from './load';
import type { Stage } from './stage';

/** One kind of request, on what it needs in the database. */
export interface Workload {
  makeRequest: (index: number) => Shot;
  /** The status of each answer. */
  expects: number;
}

/** A limit that refuses nothing but is counted all the same. */
const highLimit = '100000000';
export const clickSettings = { RATE_LIMIT_TRACKING: highLimit, LOG_LEVEL: 'info' };
export const busySettings = {
  ...clickSettings,
  RATE_LIMIT_CONVERSIONS: highLimit,
  RATE_LIMIT_GENERAL: highLimit,
};

const shopCount = 1_000;

export type WorkloadName = 'clicks' | 'conversions' | 'reads' | 'decisions';

/** Builds what the requests of a kind need; `api` is any server on the stage. */
export const workloads: Record<
  WorkloadName,
  (stage: Stage, api: string, requests: number) => Promise<Workload>
> = {
  async clicks({ db }) {
    const shops = await buildShops(db.manager, shopCount);
    return { expects: 201, makeRequest: (index) => clickOf(shops, index) };
  },

  async conversions({ db }) {
    const shops = await buildShops(db.manager, shopCount);
    return { expects: 201, makeRequest: () => conversionOf(shops) };
  },

  // Its router is one in the middle.
  async reads(_stage, api) {
    const { accessToken } = await registerMerchant(api);
    const headers = { Authorization: `Bearer ${accessToken}` };
    const read = { method: 'GET', path: '/api/v1/programs', headers };
    return { expects: 200, makeRequest: () => read };
  },

  async decisions(stage, api, requests) {
    const merchant = await registerMerchant(api);
    const { world, ids } = await withoutTimeouts(stage.databaseUrl, async (db) => {
      const made = await seedProgram(db, merchant.workspaceId, 50);
      await seedCommissions(db, made, { count: requests, onlyPending: true });
      return { world: made, ids: await commissionIds(db, made) };
    });
    const makeRequest = (): Shot => approvalOf(world, merchant.accessToken, ids.pop() ?? '');
    return { expects: 200, makeRequest };
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

let reported = 0;

/** A purchase that a click on the link of a shop's partner brought. */
export function conversionOf(shops: readonly Shop[], more: object = {}) {
  reported += 1;
  const shop = shops[reported % shops.length];
  return {
    path: '/api/v1/conversions',
    headers: { Authorization: `Bearer ${shop?.secretKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      external_transaction_id: `bench_${reported}_${process.pid}`,
      event_type: 'purchase',
      click_id: shop?.clickId,
      amount_cents: 4_900,
      currency: 'usd',
      customer_id: `customer_${reported}`,
      metadata: { plan: 'pro', seats: 3 },
      ...more,
    }),
  };
}

export function approvalOf({ programId }: CommissionWorld, token: string, id: string): Shot {
  return {
    method: 'PATCH',
    path: `/api/v1/programs/${programId}/commissions/${id}/approve`,
    headers: { Authorization: `Bearer ${token}` },
  };
}
