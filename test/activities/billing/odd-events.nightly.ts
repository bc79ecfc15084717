import { randomUUID } from 'node:crypto';
import { createStripeActivities } from '../../../activities/billing/activities';
import { receiveEvent } from '../../../activities/billing/events/receive';
import { query } from '../../../entities/database/sql';
import { AppError } from '../../../entities/errors';
import type { Biller } from '../../../entities/rules/billing/biller';
import { processorActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import {
  paddleAdjustment,
  paddleDiscount,
  paddleId,
  paddleSignature,
  paddleSubscription,
  paddleTransaction,
} from '../../support/billers/paddle';
import { polarHeaders, polarOrderEvent, polarRefund } from '../../support/billers/polar';
import { buildBillerShop } from '../../support/billers/shop';
import { withValue, type Json } from '../../support/bodies/odd-input';
import {
  chargeRefunded,
  chargeUpdated,
  checkoutCompleted,
  disputeCreated,
  invoicePaid,
  refundCreated,
  stripeId,
} from '../../support/stripe/events';
import { buildStripeShop, signatureOf } from '../../support/stripe/shop';

jest.setTimeout(1_800_000);

const deps = useDeps();
const ago = new Date(Date.now() - 86_400_000);
const deepest = 5;

/** No index takes a text of so many bytes, and none of it can be packed. */
const long = Array.from({ length: 1_000 }, (_, n) => String.fromCodePoint(0x4e00 + n * 13)).join(
  '',
);
const oddest: readonly string[] = [
  ...['null', 'true', '[{}]', '""', '-5000', '0.5', '1e400', '1000000000001', '253402300800'],
  ...['"a\\u0000b"', '"\\ud800"', '"0000-01-01T00:00:00Z"', '"usd "'],
  JSON.stringify('\u{1f600}'.repeat(2_000)),
  JSON.stringify(long),
  '['.repeat(70) + ']'.repeat(70),
];

type Path = readonly (string | 0)[];

/** The places of an event, those within others too. */
function placesOf(value: unknown, at: Path = []): Path[] {
  const own = at.length === 0 ? [] : [at];
  if (typeof value !== 'object' || value === null || at.length === deepest) return own;
  if (Array.isArray(value))
    return [...own, ...(value.length === 0 ? [] : placesOf(value[0], [...at, 0]))];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...at, name])),
  ];
}

const headersOf: Record<Biller, (body: string, id: string) => Record<string, string>> = {
  stripe: (body) => ({ 'stripe-signature': signatureOf(body) }),
  paddle: (body) => ({ 'paddle-signature': paddleSignature(body) }),
  polar: (body, webhookId) => polarHeaders({ webhookId }, body),
};

type Make = () => Promise<object>;
interface To {
  biller: Biller;
  connectionId: string;
}

/** Signs and sends it; gives whether it was taken, or refused as no event. */
async function isTaken({ biller, connectionId }: To, body: string, id: string): Promise<boolean> {
  const headers = headersOf[biller](body, id);
  const header = (name: string): string => headers[name] ?? '';
  const delivery = { biller, connectionId, body: Buffer.from(body), header };
  const stores = { db: deps.db.manager, vault: deps.vault };
  try {
    await receiveEvent(stores, { actor: processorActor, now: new Date() }, delivery);
    return true;
  } catch (error) {
    return error instanceof AppError && error.code === 'VALIDATION_ERROR';
  }
}

/** Processes what came last; gives whether it is at its end. */
async function isProcessed({ connectionId }: To): Promise<boolean> {
  const { attemptStripeEvent } = createStripeActivities(deps, { readGapMs: 0 });
  const open = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM stripe_events WHERE connection_id = $1 AND status = 'received'`,
    [connectionId],
  );
  const states = open.map(({ id: eventId }) =>
    attemptStripeEvent({ eventId }).then(
      ({ status }) => ['processed', 'ignored', 'waiting'].includes(status),
      () => false,
    ),
  );
  return (await Promise.all(states)).every(Boolean);
}

/** Sends the event with each odd value at each place, and gives what failed. */
async function failuresOf(to: To, make: Make): Promise<string[]> {
  const failed: string[] = [];
  const { webhookId: _, ...first } = (await make()) as Json;
  const tries = placesOf(first).flatMap((place) => oddest.map((value) => ({ place, value })));
  for (const { place, value } of tries) {
    const { webhookId = randomUUID(), ...event } = (await make()) as Json & { webhookId?: string };
    const isGood = await isTaken(to, withValue(event, place, value), webhookId);
    if (!isGood || !(await isProcessed(to)))
      failed.push(`${place.join('.')}: ${value.slice(0, 30)}`);
  }
  return failed;
}

describe('whatever stands at any place of a signed event, it is told, noted or refused', () => {
  it.each(['paddle', 'polar'] as const)('by %s', async (biller) => {
    const shop = await buildBillerShop(deps, biller);
    const names = () => ({ customerId: randomUUID(), subscription: randomUUID() });
    const events: Record<typeof biller, Make[]> = {
      paddle: [
        async () =>
          paddleTransaction({
            ...names(),
            click: await shop.click(ago),
            discount: paddleId('dsc'),
            period: ago,
          }),
        async () => paddleAdjustment({ transaction: paddleId('txn') }),
        async () => paddleSubscription({ id: paddleId('sub'), transaction: paddleId('txn') }),
        async () => paddleDiscount({ id: paddleId('dsc'), code: 'ANNA10' }),
      ],
      polar: [
        async () =>
          polarOrderEvent({
            ...names(),
            click: await shop.click(ago),
            externalId: randomUUID(),
            code: 'ANNA10',
          }),
        async () => polarRefund(randomUUID()),
      ],
    };
    for (const make of events[biller]) {
      expect(await failuresOf({ biller, ...shop }, make)).toEqual([]);
    }
  });

  it.each<[string, (click: string) => object]>([
    ['a checkout', (click) => checkoutCompleted({ click, customer: stripeId('cus') })],
    [
      'an invoice',
      (click) =>
        invoicePaid({
          click,
          customer: stripeId('cus'),
          subscription: stripeId('sub'),
          periodStart: ago,
        }),
    ],
    ['a charge', () => chargeUpdated({ charge: stripeId('ch') })],
    ['what is refunded of one', () => chargeRefunded({ charge: stripeId('ch') })],
    ['a refund', () => refundCreated({ charge: stripeId('ch'), amount: 100 })],
    ['a dispute', () => disputeCreated({ charge: stripeId('ch'), amount: 100 })],
  ])('by Stripe, of %s', async (_what, make) => {
    const shop = await buildStripeShop(deps, { salesFrom: 'both' });
    const click = await shop.click(ago);
    expect(await failuresOf({ biller: 'stripe', ...shop }, async () => make(click))).toEqual([]);
  });
});
