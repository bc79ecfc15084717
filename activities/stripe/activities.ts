import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import {
  readEventHeader,
  readFacts,
  shownType,
  stripeEventTypes,
  type StripeEventStatus,
  type StripeFacts,
} from '../../entities/rules/stripe/read-event';
import { isDatabaseOutage } from '../../entities/database/errors';
import { type Db, execute, queryOne, type Tx, transaction } from '../../entities/database/sql';
import type { Notice } from '../notifications/notice';
import { notify } from '../notifications/notify';
import type { Deps } from '../runtime/process/deps';
import { createStripeClient } from '../runtime/connections/stripe';
import { applyInTransaction, PaymentTooLargeError, type Outcome } from './payments/apply';
import { noteReads } from './connection/connection';
import { StripeAwayError } from './events/asker';
import { foreignMode } from './events/receive';
import { lookUp } from './events/look-up';
import { findPaymentsByObjects } from './payments/payments';
import { findConversionsOf } from './payments/settle';

type ProcessingDeps = Pick<Deps, 'db' | 'config' | 'vault' | 'clock' | 'log'>;

interface EventRow extends Scope {
  id: string;
  mode: Mode;
  connectionId: string;
  type: string;
  body: string;
  status: StripeEventStatus;
  receivedAt: Date;
  /** Encrypted; null without a key or connection. */
  restrictedKey: string | null;
}

export interface StripeEventState {
  /** `gone` when the row was deleted meanwhile (a reset of test data). */
  status: StripeEventStatus | 'gone';
  type: string;
  attempts: number;
}

/** The activities of processStripeEvent: ids in, states out. */
export function createStripeActivities(deps: ProcessingDeps) {
  return {
    /** One attempt. What went wrong is written on the event; the error leaves without details. */
    async attemptStripeEvent({ eventId }: { eventId: string }): Promise<StripeEventState> {
      const event = await findEvent(deps.db.manager, eventId);
      if (!event) return { status: 'gone', type: '', attempts: 0 };
      if (event.status !== 'received' && event.status !== 'retrying') return stateOf(deps, eventId);
      try {
        await processEvent(deps, event);
      } catch (error) {
        if (error instanceof PaymentTooLargeError) return endFailed(deps, eventId, tooLarge);
        await noteFailure(deps, event, error);
        // A refusal may be a race with a report by API: the next attempt finds its conversion.
        throw error instanceof AppError ? new Error(error.code) : error;
      }
      return stateOf(deps, eventId);
    },

    /** Gives up: the event stays with its reason and can be replayed. */
    async giveUpStripeEvent({ eventId }: { eventId: string }): Promise<StripeEventState> {
      return endFailed(deps, eventId, 'It could not be processed.');
    },
  };
}

const tooLarge = 'Its payment has more objects than one payment can have.';

async function endFailed(
  deps: ProcessingDeps,
  eventId: string,
  reason: string,
): Promise<StripeEventState> {
  const now = deps.clock.now();
  await transaction(deps.db, (tx) => giveUp(tx, { eventId, reason, now }));
  return stateOf(deps, eventId);
}

/** The merchant is notified of the first failure after a success, not of each. */
async function giveUp(
  tx: Tx,
  { eventId, reason, now }: { eventId: string; reason: string; now: Date },
): Promise<void> {
  const failed = await queryOne<Scope & { error: string }>(
    tx,
    `UPDATE stripe_events SET status = 'failed', processed_at = $2, touched_at = $2,
            error = coalesce(error, $3)
      WHERE id = $1 AND status IN ('received', 'retrying')
      RETURNING workspace_id AS "workspaceId", mode, error`,
    [eventId, now, reason],
  );
  if (!failed) return;
  const { workspaceId, mode, error } = failed;
  const before = await queryOne<{ status: string }>(
    tx,
    `SELECT status FROM stripe_events
      WHERE workspace_id = $1 AND mode = $2 AND id <> $3 AND status IN ('processed', 'failed')
      ORDER BY received_at DESC, id DESC LIMIT 1`,
    [workspaceId, mode, eventId],
  );
  if (before?.status === 'failed') return;
  const notice: Notice = {
    side: 'merchant',
    feedId: workspaceId,
    type: 'stripe.events_failing',
    causeId: eventId,
    mode,
    workspaceId,
    participantId: null,
    data: { stripeEventId: eventId },
    facts: { reason: error },
  };
  await notify(tx, [notice], now);
}

async function processEvent(deps: ProcessingDeps, event: EventRow): Promise<void> {
  const body: unknown = JSON.parse(
    deps.vault.decrypt(event.body, ['stripe_events.body', event.id]),
  );
  const scope = { workspaceId: event.workspaceId, mode: event.mode };
  const foreign = foreignMode(readEventHeader(body)?.livemode ?? null, event.mode);
  const read = foreign === null ? readFacts(body, event.receivedAt.toISOString()) : null;
  const facts = read && (await withLookups(deps, event, read));

  const now = deps.clock.now();
  const finish = (tx: Tx, outcome: Outcome): Promise<void> =>
    finishEvent(tx, event.id, { outcome, now });
  if (facts) {
    const prospect = prospectOf(deps, facts);
    await applyInTransaction(deps.db.manager, scope, { facts, prospect, now, then: finish });
    return;
  }
  const reason = foreign ?? unreadReason(event.type);
  const ignored = { status: 'ignored', reason, paymentId: null } as const;
  await transaction(deps.db, (tx) => finish(tx, ignored));
}

/** Why an event is of no use: its type, or an object that is none. */
function unreadReason(type: string): string {
  const isUsed = stripeEventTypes.some((used) => used === type);
  return isUsed ? 'The event carries no object with an id.' : 'Events of this type are not used.';
}

async function finishEvent(
  tx: Tx,
  eventId: string,
  { outcome, now }: { outcome: Outcome; now: Date },
): Promise<void> {
  await execute(
    tx,
    `UPDATE stripe_events SET status = $2, error = $3, payment_id = $4, processed_at = $5,
            touched_at = $5, attempts = attempts + 1
      WHERE id = $1 AND status IN ('received', 'retrying')`,
    [eventId, outcome.status, outcome.reason, outcome.paymentId, now],
  );
}

function prospectOf(
  { vault }: ProcessingDeps,
  { email }: StripeFacts,
): { email: string; hash: string } | null {
  const address = email?.trim().toLowerCase();
  return address ? { email: address, hash: vault.contactHash(address) } : null;
}

/** Asks Stripe for what the event leaves out, when there is a key to ask with. */
async function withLookups(
  deps: ProcessingDeps,
  event: EventRow,
  facts: StripeFacts,
): Promise<StripeFacts> {
  if (event.restrictedKey === null) return facts;
  const db = deps.db.manager;
  const scope = { workspaceId: event.workspaceId, mode: event.mode };
  const ids = [...facts.ids, ...facts.objects.map(({ id }) => id)];
  const known = await findPaymentsByObjects(db, scope, ids);
  const stored = known.flatMap(({ objects }) => objects);
  const conversions = await findConversionsOf(db, scope, {
    id: newId(),
    conversionId: known.find(({ conversionId }) => conversionId)?.conversionId ?? null,
    subscriptionId: null,
    customerId: null,
    createdAt: event.receivedAt,
    objects: [...stored, ...facts.ids.map((id) => ({ id, fact: null }))],
  });
  const key = deps.vault.decrypt(event.restrictedKey, [
    'stripe_connections.restricted_key',
    event.connectionId,
  ]);
  const client = createStripeClient(deps.config, key);
  const result = await lookUp(client, {
    facts,
    stored,
    isConversion: conversions.length > 0,
    at: event.receivedAt.toISOString(),
  });
  await noteReads(db, event.connectionId, result);
  return result.facts;
}

async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  return queryOne<EventRow>(
    db,
    `SELECT e.id, e.workspace_id AS "workspaceId", e.mode, e.connection_id AS "connectionId",
            e.type, e.body, e.status, e.received_at AS "receivedAt",
            c.restricted_key AS "restrictedKey"
       FROM stripe_events e JOIN stripe_connections c ON c.id = e.connection_id
      WHERE e.id = $1`,
    [id],
  );
}

async function stateOf({ db }: ProcessingDeps, id: string): Promise<StripeEventState> {
  const state = await queryOne<StripeEventState>(
    db.manager,
    'SELECT status, type, attempts FROM stripe_events WHERE id = $1',
    [id],
  );
  if (!state) return { status: 'gone', type: '', attempts: 0 };
  return { ...state, type: shownType(state.type) };
}

/** What the merchant reads: a sentence for each class of error, never the error's own text. */
function sentenceOf(error: unknown): string {
  if (error instanceof StripeAwayError) {
    return 'Stripe did not answer when it was asked for what the event leaves out.';
  }
  if (error instanceof AppError) return 'Another report of the same payment came at the same time.';
  if (isDatabaseOutage(error)) return 'The database did not answer in time.';
  return 'Something went wrong on our side.';
}

async function noteFailure(deps: ProcessingDeps, event: EventRow, error: unknown): Promise<void> {
  deps.log.warn({ err: error, stripeEvent: event.id }, 'a Stripe event failed, it is tried again');
  await execute(
    deps.db.manager,
    `UPDATE stripe_events SET status = 'retrying', attempts = attempts + 1, error = $2,
            touched_at = $3
      WHERE id = $1 AND status IN ('received', 'retrying')`,
    [event.id, sentenceOf(error), deps.clock.now()],
  );
}
