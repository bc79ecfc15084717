import { queueMail } from '../../../activities/journal/mail-queue';
import { checkLedger } from '../../../activities/maintenance/check-ledger';
import { query, queryOne, transaction } from '../../../entities/database/sql';
import { workflowIds } from '../../../runtime/temporal/messages';
import { newId } from '../../../entities/ids';
import { buildApiKey, buildMember, testPassword, type BuiltMember } from '../build/accounts';
import { buildPromoCode } from '../build/programs';
import { buildEndpoint } from '../build/webhooks';
import { untilAnswered } from '../faults/until-answered';
import { buildStripeShop, signatureOf, type StripeShop } from '../stripe/shop';
import type { StripeTestEvent } from '../stripe/fixtures';
import type { DrillStack } from './drill-stack';

/** A merchant who sells over the API and through Stripe, whose endpoint is the stack's sink. */
export interface DrillShop extends StripeShop {
  member: BuiltMember;
  endpointId: string;
  /** Reports a sale until there is an answer; the commission's id, or undefined for one known before. */
  sell(order: string): Promise<string | undefined>;
  /** Sends an event over HTTP, as Stripe does. */
  tell(event: StripeTestEvent): Promise<void>;
  /** Asks as the member, who signs in for it: the status and the body. */
  ask(method: string, path: string, body?: unknown): Promise<Asked>;
}

export interface Asked {
  status: number;
  body: Record<string, unknown>;
}

/** Rows that make the database as large as one of a small merchant: clicks of 200,000 visitors. */
export const clicksSeeded = 200_000;

export async function buildDrillShop(stack: DrillStack): Promise<DrillShop> {
  const { deps, apiUrl } = stack;
  const db = deps.db.manager;
  const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
  const { workspaceId } = shop.scope;
  const member = await buildMember(db, { workspaceId });
  const { key } = await buildApiKey(db, { workspaceId, kind: 'secret', mode: 'test' });
  const { code } = await buildPromoCode(db, shop.participant);
  const endpoint = await buildEndpoint(deps, shop.scope, { url: stack.sink.url });
  await seedClicks(stack, await shop.click());
  const json = { 'Content-Type': 'application/json', 'X-Mode': 'test' };

  return {
    ...shop,
    member,
    endpointId: endpoint.id,
    async sell(order) {
      const sale = { external_transaction_id: order, event_type: 'purchase', promo_code: code };
      const body = JSON.stringify({ ...sale, amount_cents: 4_900, currency: 'usd' });
      const headers = { ...json, Authorization: `Bearer ${key}` };
      const answer = await untilAnswered<{ commission?: { id: string } }>(
        `${apiUrl}/api/v1/conversions`,
        { method: 'POST', headers, body },
        // 409: an earlier attempt was committed, and its answer was lost.
        [201, 409],
      );
      return answer.body.commission?.id;
    },
    async tell(event) {
      const body = JSON.stringify(event);
      const headers = { 'Stripe-Signature': signatureOf(body) };
      const url = `${apiUrl}/webhooks/stripe/${shop.connectionId}`;
      await untilAnswered(url, { method: 'POST', headers, body }, [200]);
    },
    async ask(method, path, body) {
      const token = await signIn(apiUrl, member);
      const headers = { ...json, Authorization: `Bearer ${token}` };
      const sent = {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const answer = await fetch(`${apiUrl}/api/v1${path}`, sent);
      return { status: answer.status, body: (await answer.json()) as Asked['body'] };
    },
  };
}

export async function signIn(apiUrl: string, { email }: BuiltMember): Promise<string> {
  const answer = await fetch(`${apiUrl}/api/v1/auth/merchant/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: testPassword }),
  });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

async function seedClicks({ deps, server }: DrillStack, clickId: string): Promise<void> {
  const columns = await query<{ name: string }>(
    deps.db.manager,
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = 'clicks' AND is_generated = 'NEVER'`,
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => (/^(id|visitor_id)$/.test(name) ? 'gen_random_uuid()' : name));
  await server.ask(
    `INSERT INTO clicks (${names.join(', ')}) SELECT ${values.join(', ')}
       FROM clicks, generate_series(1, ${clicksSeeded}) WHERE id = '${clickId}'`,
  );
}

/** How often each of these orders is there, as [conversions, commissions, accruals], and how many are. */
export function effectsOf({ deps }: DrillStack, orders: readonly string[]) {
  return query<{ effects: number[]; orders: number }>(
    deps.db.manager,
    `SELECT ARRAY[conversions, commissions, accruals] AS effects, count(*)::int AS orders
       FROM (SELECT o.id, count(DISTINCT v.id)::int AS conversions,
                    count(DISTINCT c.id)::int AS commissions, count(DISTINCT l.id)::int AS accruals
               FROM unnest($1::text[]) AS o (id)
               LEFT JOIN conversions AS v ON v.external_transaction_id = o.id
               LEFT JOIN commissions AS c ON c.conversion_id = v.id
               LEFT JOIN ledger_entries AS l ON l.commission_id = c.id AND l.type = 'accrual'
              GROUP BY 1) AS seen
      GROUP BY 1`,
    [orders],
  );
}

/** Commissions whose sum is not that of their ledger, of all that there are. */
export async function ledgerMismatches({ deps }: DrillStack): Promise<number> {
  let [after, wrong]: [string | null, number] = [null, 0];
  do {
    const batch = await checkLedger(deps, { after, share: 1 });
    [after, wrong] = [batch.after, wrong + batch.wrong];
  } while (after !== null);
  return wrong;
}

/** Pending commissions without an open workflow: none of them once all is well. */
export async function withoutLifecycle({ deps, temporal }: DrillStack): Promise<string[]> {
  const rows = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM commissions WHERE status = 'pending'`,
  );
  const pending = new Set(rows.map(({ id }) => workflowIds.commission(id)));
  const open = temporal.workflow.list({
    query: `ExecutionStatus = 'Running' AND WorkflowType = 'commissionLifecycle'`,
  });
  for await (const { workflowId } of open) pending.delete(workflowId);
  return [...pending];
}

/** Queues a mail to the member; gives its id. */
export async function mailTheMember({ deps }: DrillStack, { member }: DrillShop): Promise<string> {
  const to = { side: 'merchant', accountId: member.id } as const;
  const mail = { type: 'security.password_changed', to, at: new Date() } as const;
  await transaction(deps.db, (tx) => queueMail(tx, mail));
  const sql = `SELECT id FROM mails WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`;
  return (await queryOne<{ id: string }>(deps.db.manager, sql, [member.id]))?.id ?? '';
}

export const newOrders = (count: number): string[] => Array.from({ length: count }, () => newId());

export async function sizeOf({ deps }: DrillStack): Promise<string> {
  const row = await queryOne<{ size: string }>(
    deps.db.manager,
    `SELECT pg_size_pretty(pg_database_size(current_database())) AS size`,
  );
  return row?.size ?? '';
}
