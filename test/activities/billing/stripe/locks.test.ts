import { aliasLockKey } from '../../../../activities/conversions/alias-locks';
import { ApplicationFailure } from '@temporalio/common';
import { Client } from 'pg';
import { createStripeActivities } from '../../../../activities/billing/activities';
import { createEventTurns, PutOffError } from '../../../../activities/billing/events/turns';
import { queryOne } from '../../../../entities/database/sql';
import { newId } from '../../../../entities/ids';
import { followUpHandler } from '../../../../workers/relay/handlers';
import { stripeAttemptFailures } from '../../../../runtime/temporal/messages';
import { useDeps } from '../../../support/app';
import { chargeRefunded, checkoutCompleted, stripeId } from '../../../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';
import { within } from '../../../support/eventually';

const deps = useDeps();
let holder: Client;

beforeEach(async () => {
  holder = new Client({ connectionString: deps.config.databaseDirectUrl });
  await holder.connect();
  await holder.query('BEGIN');
});
afterEach(() => holder.end());

interface Sale {
  shop: StripeShop;
  /** The event of its refund, received and not processed yet. */
  refunds: string[];
}

/** A payment with a commission, and events of its refund that come many times. */
async function sell(count = 1): Promise<Sale> {
  const shop = await buildStripeShop(deps);
  const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
  const click = await shop.click(new Date(Date.now() - 3_600_000));
  await shop.send(checkoutCompleted({ click, paymentIntent }));
  const refund = () => chargeRefunded({ charge, paymentIntent, refunded: 1_000 });
  const refunds = await shop.receive(...Array.from({ length: count }, refund));
  return { shop, refunds };
}

/** Holds the commissions as a payout of thousands does for as long as it is written. */
const holdCommissions = ({ shop }: Sale): Promise<unknown> =>
  holder.query('SELECT 1 FROM commissions WHERE workspace_id = $1 FOR UPDATE', [
    shop.scope.workspaceId,
  ]);

const rowOf = (id: string) =>
  queryOne<{ status: string; attempts: number; error: string | null }>(
    deps.db.manager,
    'SELECT status, attempts, error FROM stripe_events WHERE id = $1',
    [id],
  );

const endOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('an event whose rows are locked', () => {
  it('is put off without a failure, and has its effect once they are free', async () => {
    const sale = await sell();
    const [eventId = ''] = sale.refunds;
    const { attemptStripeEvent } = createStripeActivities(deps);
    await holdCommissions(sale);

    const end = await endOf(attemptStripeEvent({ eventId }));
    expect(end).toBeInstanceOf(ApplicationFailure);
    expect(end).toMatchObject({ type: stripeAttemptFailures.putOff, nonRetryable: false });
    expect(await rowOf(eventId)).toEqual({ status: 'received', attempts: 0, error: null });

    await holder.query('COMMIT');
    expect(await attemptStripeEvent({ eventId })).toMatchObject({
      status: 'processed',
      attempts: 1,
    });
    const [conversion] = await conversionsOf(deps.db.manager, sale.shop.scope);
    expect(conversion).toMatchObject({ refundedCents: 1_000 });
  });

  it("leaves the places and connections that another's event needs", async () => {
    const [mallory, alice] = [await sell(40), await sell()];
    const { attemptStripeEvent } = createStripeActivities(deps);
    await holdCommissions(mallory);
    const attempts = mallory.refunds.map((eventId) => endOf(attemptStripeEvent({ eventId })));
    const [eventId = ''] = alice.refunds;
    expect(await attemptStripeEvent({ eventId })).toMatchObject({
      status: 'processed',
    });

    const ends = await Promise.all(attempts);
    const putOff = ends.filter(
      (end) => end instanceof ApplicationFailure && end.type === stripeAttemptFailures.putOff,
    );
    expect(putOff).toHaveLength(40);
    for (const id of mallory.refunds) expect(await rowOf(id)).toMatchObject({ attempts: 0 });
  });

  it.each([
    ['that is followed up', {}, 'object'],
    ['whose renewals are looked for', { renewalsAfter: newId() }, 'customer'],
  ] as const)('counts nothing against a payment %s', async (_name, payload, locked) => {
    const shop = await buildStripeShop(deps);
    const [customer, paymentIntent] = [stripeId('cus'), stripeId('pi')];
    const click = await shop.click(new Date(Date.now() - 3_600_000));
    await shop.send(checkoutCompleted({ click, paymentIntent, customer }));
    const { workspaceId } = shop.scope;
    const key = aliasLockKey('$1::text', `'test'`, '$2::text');
    await holder.query(`SELECT pg_advisory_xact_lock(${key})`, [
      workspaceId,
      locked === 'object' ? paymentIntent : customer,
    ]);
    const ids: { later: number[]; refused: number[] } = { later: [], refused: [] };
    const row = {
      ref: newId(),
      payload: { mode: shop.scope.mode, objectId: paymentIntent, ...payload },
      workspaceId,
      attempts: 1,
      deferrals: 0,
      waitedSeconds: 0,
      requestId: null,
    };
    const work = [1, 2, 3].map((id) => ({ id, ...row }));
    const handled = followUpHandler(deps).handle(work, {
      defer: (id) => void ids.later.push(id),
      refused: (id) => void ids.refused.push(id),
      away: () => undefined,
    });
    // It would take twice the 5 s of the pool without a bound.
    expect(await within(4_500, handled)).toEqual([]);
    expect(ids.later.toSorted()).toEqual([1, 2, 3]);
    expect(ids.refused).toEqual([]);
  });
});

describe('what a workspace has of a process', () => {
  it('is a few attempts; the rest are put off at once, those of others are not', async () => {
    const turns = createEventTurns();
    const ends: (() => void)[] = [];
    const hang = () => new Promise<void>((resolve) => void ends.push(resolve));
    const attempts = Array.from({ length: 20 }, () => endOf(turns.attempt('mallory', hang)));
    expect(await turns.attempt('alice', () => Promise.resolve('done'))).toBe('done');
    expect(ends).toHaveLength(6);
    ends.forEach((end) => end());
    const results = await Promise.all(attempts);
    expect(results.filter((end) => end instanceof PutOffError)).toHaveLength(14);
    expect(results.filter((end) => end === 'done')).toHaveLength(6);
  });
});
