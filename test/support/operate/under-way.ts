import { query, queryOne } from '../../../entities/database/sql';
import { buildParticipant } from '../build/programs';
import { until } from '../eventually';
import { invoicePaid, stripeId } from '../stripe/events';
import {
  effectsOf,
  ledgerMismatches,
  mailTheMember,
  newOrders,
  withoutLifecycle,
  type DrillShop,
} from './drill-shop';
import type { DrillStack } from './drill-stack';
import { expectNoneFailing, openRuns } from './open-runs';

/** Work of each kind that Temporal has open, because what it needs is away. */
export interface UnderWay {
  orders: string[];
  /** Commissions of the orders, pending for the days of their hold. */
  commissions: string[];
  mailId: string;
  stripeEvent: string;
  erased: string;
}

const types = ['deliverMail', 'webhookRetries', 'processStripeEvent', 'eraseSubject'];

/** Takes the mail server, the receiver and Stripe away, and gives each of them something to do. */
export async function beginWork(stack: DrillStack, shop: DrillShop): Promise<UnderWay> {
  const { program } = shop;
  const orders = newOrders(10);
  const sold = await Promise.all(orders.map(shop.sell));
  const click = await shop.click(new Date(Date.now() - 3_600_000));
  await until(async () => (await withoutLifecycle(stack)).length === 0, 120_000);
  stack.mailServer.cut();
  stack.stripe.broken = true;
  stack.sink.answer((_request, response) => response.writeHead(500).end());

  const mailId = await mailTheMember(stack, shop);
  const [order = ''] = newOrders(1);
  await shop.sell(order);
  const paid = invoicePaid({ click, invoice: stripeId('in'), subscription: stripeId('sub') });
  await shop.tell(paid);
  const { id: erased } = await buildParticipant(stack.deps.db.manager, { program });
  const at = `/programs/${program.id}/partners/${erased}/erase`;
  const { status } = await shop.ask('POST', at, { confirmation: 'DELETE' });
  if (status !== 200) throw new Error(`the erasure was answered by ${status}`);
  await until(async () => {
    const open = new Set((await openRuns(stack)).map(({ type }) => type));
    return types.every((type) => open.has(type));
  }, 120_000);
  const commissions = sold.map((id) => id ?? '');
  return { orders: [...orders, order], commissions, mailId, erased, stripeEvent: paid.id };
}

/** Brings all three back. */
export function endOutages({ mailServer, sink, stripe }: DrillStack): void {
  mailServer.restore();
  stripe.broken = false;
  sink.answer((_request, response) => response.end('ok'));
}

/** Has the rows look as if they had waited for three hours. */
export async function age({ server }: DrillStack): Promise<void> {
  for (const [table, column] of [
    ['mails', 'created_at'],
    ['erasures', 'erased_at'],
    ['stripe_events', 'touched_at'],
  ]) {
    await server.ask(`UPDATE ${table} SET ${column} = ${column} - interval '3 hours'`);
  }
}

/** What of it is still to be done, in words; nothing when it is all over. */
export async function leftOf(stack: DrillStack, work: UnderWay): Promise<string[]> {
  const db = stack.deps.db.manager;
  const row = await queryOne<Record<string, string | number>>(
    db,
    `SELECT (SELECT status FROM mails WHERE id = $1) AS mail,
            (SELECT status FROM stripe_events WHERE stripe_event_id = $2) AS event,
            (SELECT status FROM erasures WHERE subject_id = $3) AS erasure,
            (SELECT count(*)::int FROM sealed_recipients) AS recipients,
            (SELECT count(*)::int FROM webhook_deliveries
              WHERE status IN ('pending', 'retrying')) AS deliveries`,
    [work.mailId, work.stripeEvent, work.erased],
  );
  const done = { mail: 'sent', event: 'processed', erasure: 'completed' };
  const wanted: typeof row = { ...done, recipients: 0, deliveries: 0 };
  const left = Object.entries(row ?? {}).filter(([name, value]) => value !== wanted[name]);
  const lost = (await withoutLifecycle(stack)).map((id) => `${id} is not open`);
  const waits = new Set(['commissionLifecycle', 'repair']);
  const open = (await openRuns(stack)).filter(({ type }) => !waits.has(type));
  return [
    ...left.map(([name, value]) => `${name}: ${value}`),
    ...lost,
    ...open.map(({ workflowId }) => `${workflowId} is open`),
  ];
}

/** Expects that nothing was done twice, and that nothing fails. */
export async function expectOnce(stack: DrillStack, work: UnderWay): Promise<void> {
  const once = { effects: [1, 1, 1], orders: work.orders.length };
  expect(await effectsOf(stack, work.orders)).toEqual([once]);
  await expectNoneFailing(stack, 120_000);
  expect(await ledgerMismatches(stack)).toBe(0);
  expect(await sentTwice(stack)).toEqual([]);
}

/** Mails of which the mail server has more copies than one, by their Message-ID. */
async function sentTwice({ deps, mails }: DrillStack): Promise<string[]> {
  const answer = await fetch(`${mails.url}/api/messages`);
  const caught = (await answer.json()) as unknown[];
  const rows = await query<{ sent: number }>(
    deps.db.manager,
    `SELECT count(*)::int AS sent FROM mails WHERE status = 'sent'`,
  );
  return caught.length === rows[0]?.sent ? [] : [`${caught.length} of ${rows[0]?.sent}`];
}
