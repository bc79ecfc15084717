import { ApplicationFailure } from '@temporalio/common';
import Stripe from 'stripe';
import type { Deps } from '../../../runtime/process/deps';
import { receiveEvent as receive } from '../../../activities/billing/events/receive';
import { askMore, type MoreToAsk } from '../../../activities/purchases/ask-more';
import { followUpPayment } from '../../../activities/billing/payments/follow-up';
import { createStripeActivities } from '../../../activities/billing/activities';
import { retry, waits, type RetryPolicy } from '../../../runtime/load/retry';
import { stripeAttemptFailures } from '../../../runtime/temporal/messages';
import { newId } from '../../../entities/ids';
import { processorActor } from '../../../entities/rules/values/actor';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Scope } from '../../../entities/rules/values/mode';
import { execute, query, queryOne, type Db } from '../../../entities/database/sql';
import { buildClick } from '../build/clicks';
import { buildParticipant, buildProgram, type BuiltParticipant } from '../build/programs';
import type { StripeTestEvent } from './fixtures';

export type ShopDeps = Pick<Deps, 'db' | 'config' | 'vault' | 'clock' | 'log'>;

export const webhookSecret = 'whsec_of_the_test_shop';

/** The value of the Stripe-Signature header for a body. */
export function signatureOf(body: string, options: { secret?: string; at?: Date } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: options.secret ?? webhookSecret,
    timestamp: Math.floor((options.at ?? new Date()).getTime() / 1_000),
  });
}

/** A workspace that sells through Stripe, with one approved partner. Test mode. */
export interface StripeShop {
  scope: Scope;
  program: Program;
  participant: BuiltParticipant;
  connectionId: string;
  /** A click of the partner, made so long before. */
  click(at?: Date): Promise<string>;
  /** Sends events as Stripe does and processes each at once, in this order. */
  send(...events: StripeTestEvent[]): Promise<void>;
  /** Sends without processing; gives our ids. */
  receive(...events: StripeTestEvent[]): Promise<string[]>;
  process(eventId: string): Promise<void>;
  /**
   * Does what earlier events left to be done by then, as the relay does; `send` does so for now.
   * Gives how many rows of the outbox that was.
   */
  followUp(at?: Date, customer?: string): Promise<number>;
  statuses(): Promise<string[]>;
  /** The same shop, whose events another process receives and processes. */
  by(deps: ShopDeps): StripeShop;
}

type ShopRows = Pick<StripeShop, 'scope' | 'program' | 'participant' | 'connectionId'>;

export async function buildStripeShop(
  deps: ShopDeps,
  overrides: Partial<Program> & { restrictedKey?: string } = {},
): Promise<StripeShop> {
  const db = deps.db.manager;
  const { restrictedKey, ...terms } = overrides;
  const program = await buildProgram(db, { mode: 'test', ...terms });
  const participant = await buildParticipant(db, { program });
  const scope = { workspaceId: program.workspaceId, mode: program.mode };
  const connectionId = await insertConnection(deps, scope, restrictedKey);
  return shopAt(deps, { scope, program, participant, connectionId });
}

function shopAt(deps: ShopDeps, rows: ShopRows): StripeShop {
  const db = deps.db.manager;
  const { scope, participant, connectionId } = rows;
  const activities = createStripeActivities(deps, { readGapMs: 0 });

  const receive = async (...events: StripeTestEvent[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const event of events) ids.push(await receiveEvent(deps, connectionId, event));
    return ids;
  };
  const process = async (eventId: string): Promise<void> => {
    await retry(whilePutOff, () => activities.attemptStripeEvent({ eventId }));
  };
  const followUp = (at = deps.clock.now(), customer?: string): Promise<number> =>
    doFollowUps(deps, scope, { at, customer });
  return {
    ...rows,
    by: (others) => shopAt(others, rows),
    click: async (at) => (await buildClick(db, { participant, ...(at ? { at } : {}) })).id,
    receive,
    process,
    followUp,
    async send(...events) {
      for (const event of events) {
        for (const id of await receive(event)) await process(id);
        await followUp();
      }
    },
    statuses: () => eventStatuses(db, connectionId),
  };
}

/** Events of one payment that are processed side by side may wait for each other, as at a worker. */
const whilePutOff: RetryPolicy = {
  waitsMs: waits(100, 100),
  isWorthIt: (error) =>
    error instanceof ApplicationFailure && error.type === stripeAttemptFailures.putOff,
};

async function doFollowUps(
  { db: { manager: db }, vault }: ShopDeps,
  scope: Scope,
  { at, customer }: { at: Date; customer: string | undefined },
): Promise<number> {
  for (let rows = 0; ;) {
    const work = await query<{ paymentId: string; payload: object }>(
      db,
      `DELETE FROM outbox AS w USING stripe_objects AS o JOIN stripe_payments AS p ON p.id = o.payment_id
        WHERE w.topic = 'stripe_payment' AND w.workspace_id = $1 AND w.available_at <= $2
          AND o.workspace_id = w.workspace_id AND o.mode = w.payload->>'mode'
          AND o.object_id = w.payload->>'objectId'
          AND ($3::text IS NULL OR p.customer_id = $3) RETURNING w.ref::text AS "paymentId", w.payload`,
      [scope.workspaceId, at, customer ?? null],
    );
    const more = await query<{ payload: Omit<MoreToAsk, 'workspaceId'> }>(
      db,
      `DELETE FROM outbox WHERE topic = 'credit' AND workspace_id = $1 AND available_at <= $2
       RETURNING payload`,
      [scope.workspaceId, at],
    );
    for (const { payload } of more) {
      const cause = { actor: processorActor, now: at };
      await askMore({ db, vault }, cause, { workspaceId: scope.workspaceId, ...payload });
    }
    rows += more.length;
    if (work.length === 0 && more.length === 0) return rows;
    rows += work.length;
    for (const { paymentId, payload } of work)
      await followUpPayment(
        { db, vault },
        { actor: processorActor, now: at },
        { workspaceId: scope.workspaceId, paymentId, ...payload },
      );
  }
}

async function insertConnection(
  deps: ShopDeps,
  scope: Scope,
  restrictedKey: string | undefined,
): Promise<string> {
  const id = newId();
  await execute(
    deps.db.manager,
    `INSERT INTO stripe_connections (id, workspace_id, mode, restricted_key, webhook_secret,
       created_at, updated_at, read_began_at) VALUES ($1, $2, $3, $4, $5, $6, $6, $6)`,
    [
      id,
      scope.workspaceId,
      scope.mode,
      restrictedKey === undefined
        ? null
        : deps.vault.encrypt(restrictedKey, ['stripe_connections.restricted_key', id]),
      deps.vault.encrypt(webhookSecret, ['stripe_connections.webhook_secret', id]),
      new Date(),
    ],
  );
  return id;
}

async function receiveEvent(
  deps: ShopDeps,
  connectionId: string,
  event: StripeTestEvent,
): Promise<string> {
  const body = JSON.stringify(event);
  const now = deps.clock.now();
  const signature = signatureOf(body, { at: now });
  const cause = { actor: processorActor, now };
  await receive({ ...deps, db: deps.db.manager }, cause, {
    connectionId,
    biller: 'stripe',
    body: Buffer.from(body),
    header: () => signature,
  });
  const row = await queryOne<{ id: string }>(
    deps.db.manager,
    'SELECT id FROM stripe_events WHERE connection_id = $1 AND stripe_event_id = $2',
    [connectionId, event.id],
  );
  return row?.id ?? '';
}

async function eventStatuses(db: Db, connectionId: string): Promise<string[]> {
  const rows = await query<{ status: string }>(
    db,
    'SELECT status FROM stripe_events WHERE connection_id = $1 ORDER BY id',
    [connectionId],
  );
  return rows.map(({ status }) => status);
}

export interface ShopConversion {
  id: string;
  externalTransactionId: string;
  eventType: string;
  attributed: boolean;
  reason: string;
  participantId: string | null;
  amountCents: number;
  refundedCents: number;
  occurredAt: string;
  aliases: string[];
  commission: {
    id: string;
    status: string;
    amountCents: number;
    reasons: string[];
    feeCents: number | null;
  } | null;
}

interface ConversionRow extends Omit<ShopConversion, 'occurredAt' | 'commission'> {
  occurredAt: Date;
  commissionId: string | null;
  status: string;
  commissionCents: number;
  reasons: string[];
  feeCents: number | null;
}

/** The shop's conversions by the time of their payment, with their commissions. */
export async function conversionsOf(
  db: Db,
  scope: Scope,
  customer?: string,
): Promise<ShopConversion[]> {
  const rows = await query<ConversionRow>(
    db,
    `SELECT v.id, v.external_transaction_id AS "externalTransactionId", v.event_type AS "eventType",
            v.attributed, v.reason, v.participant_id AS "participantId", v.amount_cents AS "amountCents",
            v.refunded_amount_cents AS "refundedCents", v.occurred_at AS "occurredAt",
            array(SELECT alias FROM conversion_aliases a WHERE a.conversion_id = v.id ORDER BY alias)
              AS aliases, m.id AS "commissionId", m.status, m.amount_cents AS "commissionCents",
            m.review_reasons AS reasons, m.fee_cents AS "feeCents"
       FROM conversions v LEFT JOIN commissions m ON m.conversion_id = v.id AND m.credited
      WHERE v.workspace_id = $1 AND v.mode = $2 AND ($3::text IS NULL OR v.customer_id = $3)
      ORDER BY v.occurred_at, v.id`,
    [scope.workspaceId, scope.mode, customer ?? null],
  );
  return rows.map(({ commissionId, status, commissionCents, reasons, feeCents, ...row }) => ({
    ...row,
    occurredAt: row.occurredAt.toISOString(),
    commission:
      commissionId === null
        ? null
        : { id: commissionId, status, amountCents: commissionCents, reasons, feeCents },
  }));
}
