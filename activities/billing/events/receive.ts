import { isUtf8 } from 'node:buffer';
import { AppError, validationError } from '../../../entities/errors';
import { newId } from '../../../entities/ids';
import { movingSql } from '../../../entities/database/moving';
import { queryOne, transaction, type Db, type Tx } from '../../../entities/database/sql';
import {
  openStripeEvents,
  stripeEventMoves,
  type StripeEventStatus,
} from '../../../entities/rules/billing/event-status';
import { readEventHeader, type StripeEventHeader } from '../../../entities/rules/stripe/read-event';
import type { Mode } from '../../../entities/rules/values/mode';
import type { Cause, CommandContext } from '../../journal/cause';
import { record } from '../../journal/record';
import { isSignedByStripe } from '../../../runtime/connections/stripe';
import type { Vault } from '../../../runtime/crypto/vault';
import { searchWords } from '../../../runtime/crypto/word-hashes';
import { findConnectionById, scopeOf, type ConnectionRecord } from '../connection/connection';
import { enqueueStripeEvent, reopenEvent } from './progress';

export interface Delivery {
  connectionId: string;
  /** The bytes as they came: the signature is over them. */
  body: Buffer;
  signature: string;
}

/**
 * Takes one event in: stored, with the work of processing it, before it is acknowledged. NOT_FOUND
 * for an unknown or deleted connection, INVALID_SIGNATURE, VALIDATION_ERROR for signed bytes that
 * are no event. The same event again is acknowledged and changes nothing; one that had failed is
 * tried once more.
 */
export async function receiveStripeEvent(
  deps: { db: Db; vault: Vault },
  cause: Cause,
  delivery: Delivery,
): Promise<void> {
  const connection = await findConnectionById(deps.db, delivery.connectionId);
  if (!connection) throw new AppError('NOT_FOUND');
  if (!isSigned(deps, { connection, delivery, now: cause.now }))
    throw new AppError('INVALID_SIGNATURE');

  // As text it would be mended.
  if (!isUtf8(delivery.body)) throw validationError('body', 'is not valid JSON in UTF-8');
  await takeIn(deps, cause, { connection, text: delivery.body.toString('utf8') });
}

/**
 * Stores an event that is known to be Stripe's, with the work of processing it; whether that is to
 * be done. VALIDATION_ERROR for a text that is no event.
 */
export async function takeIn(
  deps: { db: Db; vault: Vault },
  cause: Cause,
  { connection, text }: { connection: ConnectionRecord; text: string },
): Promise<boolean> {
  const event = parseJson(text);
  const header = readEventHeader(event);
  if (!header) throw validationError('body', 'is no event: it needs a text id and a text type');
  const id = newId();
  const body = deps.vault.encrypt(text, ['stripe_events.body', id]);
  const words = searchWords(deps.vault, connection.workspaceId, event);
  const context = { ...cause, scope: scopeOf(connection) };
  return transaction(deps.db, (tx) => store(tx, context, { id, connection, header, body, words }));
}

function isSigned(
  { vault }: { vault: Vault },
  { connection, delivery, now }: { connection: ConnectionRecord; delivery: Delivery; now: Date },
): boolean {
  if (connection.webhookSecret === null || delivery.signature === '') return false;
  const place = ['stripe_connections.webhook_secret', connection.id] as const;
  const secret = vault.decrypt(connection.webhookSecret, place);
  return isSignedByStripe(delivery.body, delivery.signature, { secret, now });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('body', 'is not valid JSON');
  }
}

interface Arrival {
  id: string;
  connection: ConnectionRecord;
  header: StripeEventHeader;
  body: string;
  words: number[] | null;
}

const arriveAgain = movingSql(stripeEventMoves, {
  trigger: 'arrive_again',
  to: 'received',
  of: 'stripe_events',
});

async function store(
  tx: Tx,
  context: CommandContext,
  { id, connection, header, body, words }: Arrival,
): Promise<boolean> {
  const { scope, now } = context;
  const foreign = whyForeign(header, scope.mode);
  const stored = await queryOne<{ id: string; status: StripeEventStatus }>(
    tx,
    `INSERT INTO stripe_events (id, connection_id, workspace_id, mode, stripe_event_id, type,
       api_version, object_id, body, status, error, received_at, touched_at, processed_at, words)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14)
         ON CONFLICT ON CONSTRAINT uq_stripe_event
         DO UPDATE SET ${arriveAgain.set}, error = NULL, touched_at = excluded.touched_at
          WHERE ${arriveAgain.where}
     RETURNING id, status`,
    [
      id,
      connection.id,
      scope.workspaceId,
      scope.mode,
      header.stripeEventId,
      header.type,
      header.apiVersion,
      header.objectId,
      body,
      foreign === null ? 'received' : 'ignored',
      foreign,
      now,
      foreign === null ? null : now,
      words,
    ],
  );
  if (stored?.status !== 'received') return false;
  await enqueueStripeEvent(tx, context, { id: stored.id, type: header.type });
  return true;
}

/**
 * Why an event does not belong to this connection; null when it does. Ids of a connected account mean
 * nothing in the connection's own, which alone its key reads.
 */
export function whyForeign(
  { livemode, isOfConnectedAccount }: StripeEventHeader,
  mode: Mode,
): string | null {
  if (isOfConnectedAccount) return 'The event is of a connected account (it has an account).';
  if (livemode === (mode === 'live')) return null;
  const said = livemode === null ? 'tells no livemode' : `has livemode ${String(livemode)}`;
  return `The event ${said}; this connection is in ${mode} mode.`;
}

/**
 * Processes a stored event once more. NOT_FOUND (another workspace's or mode's too),
 * STRIPE_EVENT_RUNNING while it is being processed.
 */
export async function replayStripeEvent(
  db: Db,
  context: CommandContext,
  { id }: { id: string },
): Promise<void> {
  const { scope } = context;
  await transaction(db, async (tx) => {
    const event = await queryOne<{ status: StripeEventStatus }>(
      tx,
      `SELECT status FROM stripe_events
        WHERE id = $1 AND workspace_id = $2 AND mode = $3 FOR UPDATE`,
      [id, scope.workspaceId, scope.mode],
    );
    if (!event) throw new AppError('NOT_FOUND');
    if (openStripeEvents.includes(event.status)) throw new AppError('STRIPE_EVENT_RUNNING');
    await reopenEvent(tx, context, id);
    const target = { type: 'stripe_event', id };
    await record(tx, context, { audit: { action: 'stripe_event.replayed', target } });
  });
}
