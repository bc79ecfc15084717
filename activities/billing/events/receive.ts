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
import { rulesOf } from '../../../entities/rules/billers';
import type { Biller } from '../../../entities/rules/billing/biller';
import { withinDepth } from '../../../entities/rules/billing/json';
import type { EventHeader } from '../../../entities/rules/billing/rules';
import type { Cause, CommandContext } from '../../journal/cause';
import { record } from '../../journal/record';
import type { Vault } from '../../../runtime/crypto/vault';
import { searchWords } from '../../../runtime/crypto/word-hashes';
import { findConnectionById, scopeOf, type ConnectionRecord } from '../connection/connection';
import { readerOf } from '../readers';
import type { SignedDelivery } from '../reader';
import { enqueueStripeEvent, reopenEvent } from './progress';

export interface Delivery extends SignedDelivery {
  biller: Biller;
  connectionId: string;
}

/**
 * Takes one event in: stored, with the work of processing it, before it is acknowledged. NOT_FOUND
 * for an unknown or deleted connection, or another biller's, INVALID_SIGNATURE, VALIDATION_ERROR for signed bytes that
 * are no event. The same event again is acknowledged and changes nothing; one that had failed is
 * tried once more.
 */
export async function receiveEvent(
  deps: { db: Db; vault: Vault },
  cause: Cause,
  delivery: Delivery,
): Promise<void> {
  const connection = await findConnectionById(deps.db, delivery.connectionId);
  if (connection?.biller !== delivery.biller) throw new AppError('NOT_FOUND');
  if (!isSigned(deps, { connection, delivery, now: cause.now }))
    throw new AppError('INVALID_SIGNATURE');

  // The bytes are checked before they are a text, which would replace what is no UTF-8.
  if (!isUtf8(delivery.body)) throw validationError('body', 'is not valid JSON in UTF-8');
  const deliveryId = readerOf(delivery.biller).deliveryIdOf(delivery);
  const text = delivery.body.toString('utf8');
  await takeIn(deps, cause, { connection, text, deliveryId });
}

/** An event that is known to be the biller's. */
export interface Arriving {
  connection: ConnectionRecord;
  text: string;
  /** What names the delivery outside of its body. */
  deliveryId: string | null;
  /** No webhook brought it. */
  recovered?: boolean;
}

/**
 * Stores an event that is known to be the biller's, with the work of processing it; whether that is to
 * be done. VALIDATION_ERROR for a text that is no event.
 */
export async function takeIn(
  deps: { db: Db; vault: Vault },
  cause: Cause,
  { connection, text, deliveryId, recovered = false }: Arriving,
): Promise<boolean> {
  const told = parseJson(text);
  const event = withinDepth(told);
  const header = rulesOf(connection.biller).headerOf(event, deliveryId);
  if (!header) throw validationError('body', 'is no event: it needs a text id and a text type');
  const id = newId();
  const kept = event === told ? text : JSON.stringify(event);
  const body = deps.vault.encrypt(kept, ['stripe_events.body', id]);
  const words = searchWords(deps.vault, connection.workspaceId, event);
  const context = { ...cause, scope: scopeOf(connection) };
  const arrival = { id, connection, header, body, words, recovered };
  return transaction(deps.db, (tx) => store(tx, context, arrival));
}

function isSigned(
  { vault }: { vault: Vault },
  { connection, delivery, now }: { connection: ConnectionRecord; delivery: Delivery; now: Date },
): boolean {
  if (connection.webhookSecret === null) return false;
  const place = ['stripe_connections.webhook_secret', connection.id] as const;
  const secret = vault.decrypt(connection.webhookSecret, place);
  return readerOf(connection.biller).isSigned(delivery, { secret, now });
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
  header: EventHeader;
  body: string;
  words: number[] | null;
  recovered: boolean;
}

const arriveAgain = movingSql(stripeEventMoves, {
  trigger: 'arrive_again',
  to: 'received',
  of: 'stripe_events',
});

async function store(
  tx: Tx,
  context: CommandContext,
  { id, connection, header, body, words, recovered }: Arrival,
): Promise<boolean> {
  const { scope, now } = context;
  const foreign = header.foreign(scope.mode);
  const stored = await queryOne<{ id: string; status: StripeEventStatus }>(
    tx,
    `INSERT INTO stripe_events (id, connection_id, workspace_id, mode, stripe_event_id, type,
       api_version, object_id, body, status, error, received_at, touched_at, processed_at, words,
       biller, recovered)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15, $16)
         ON CONFLICT ON CONSTRAINT uq_stripe_event
         DO UPDATE SET ${arriveAgain.set}, error = NULL, touched_at = excluded.touched_at
          WHERE ${arriveAgain.where}
     RETURNING id, status`,
    [
      id,
      connection.id,
      scope.workspaceId,
      scope.mode,
      header.billerEventId,
      header.type,
      header.apiVersion,
      header.objectId,
      body,
      foreign === null ? 'received' : 'ignored',
      foreign,
      now,
      foreign === null ? null : now,
      words,
      connection.biller,
      recovered,
    ],
  );
  if (stored?.status !== 'received') return false;
  const { biller } = connection;
  await enqueueStripeEvent(tx, context, { id: stored.id, biller, type: header.type });
  return true;
}

/**
 * Processes a stored event once more. NOT_FOUND (another workspace's or mode's too),
 * STRIPE_EVENT_RUNNING or BILLER_EVENT_RUNNING while it is being processed.
 */
export async function replayEvent(
  db: Db,
  context: CommandContext,
  { id, biller }: { id: string; biller: Biller },
): Promise<void> {
  const { scope } = context;
  await transaction(db, async (tx) => {
    const event = await queryOne<{ status: StripeEventStatus }>(
      tx,
      `SELECT status FROM stripe_events
        WHERE id = $1 AND workspace_id = $2 AND mode = $3 AND biller = $4 FOR UPDATE`,
      [id, scope.workspaceId, scope.mode, biller],
    );
    if (!event) throw new AppError('NOT_FOUND');
    if (openStripeEvents.includes(event.status)) {
      throw new AppError(biller === 'stripe' ? 'STRIPE_EVENT_RUNNING' : 'BILLER_EVENT_RUNNING');
    }
    await reopenEvent(tx, context, id);
    const target = { type: `${biller}_event`, id };
    await record(tx, context, { audit: { action: `${biller}_event.replayed`, target } });
  });
}
