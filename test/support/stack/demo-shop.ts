import type { Side } from '../../../entities/rules/accounts/accounts';
import type { StackInfo } from '../../../stack/supervisor/info';
import { untilAnswered } from '../faults/until-answered';

type Request = readonly [url: string, request: RequestInit];

const json = { 'Content-Type': 'application/json' };

/** The headers of the demo shop's server: JSON with its secret key of test mode. */
export function demoKeyHeaders({ demo }: StackInfo): Record<string, string> {
  return { ...json, Authorization: `Bearer ${demo?.keys.test.secret}` };
}

/** The report of a sale of 49 dollars with the code of the demo's partner, for `fetch`. */
export function demoSale(info: StackInfo, transaction: string): Request {
  const body = {
    external_transaction_id: transaction,
    event_type: 'purchase',
    promo_code: info.demo?.promoCode,
    amount_cents: 4_900,
    currency: 'usd',
  };
  const headers = demoKeyHeaders(info);
  return [
    `${info.apiUrl}/api/v1/conversions`,
    { method: 'POST', headers, body: JSON.stringify(body) },
  ];
}

/** Reports such a sale until the stack answers, whatever dies meanwhile. */
export async function sellAtDemo(info: StackInfo, transaction: string): Promise<void> {
  // 409: an earlier try was committed, and its answer died with the process.
  await untilAnswered(...demoSale(info, transaction), [201, 409]);
}

export interface DemoSession {
  accessToken: string;
  account: { id: string; gpaId?: string; workspaceId: string };
}

/** Signs in to an account of the demo, as soon as the stack answers. */
export async function signInAtDemo(
  { apiUrl, demo }: StackInfo,
  side: Side = 'merchant',
): Promise<DemoSession> {
  const { body } = await untilAnswered<DemoSession>(
    `${apiUrl}/api/v1/auth/${side}/login`,
    { method: 'POST', headers: json, body: JSON.stringify(demo?.[side]) },
    [200],
  );
  return body;
}
