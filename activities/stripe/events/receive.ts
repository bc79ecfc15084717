import { AppError, validationError } from '../../../entities/errors';
import { newId } from '../../../entities/ids';
import type { Mode, Scope } from '../../../entities/rules/values/mode';
import {
  readEventHeader,
  shownType,
  type StripeEventHeader,
  type StripeEventStatus,
} from '../../../entities/rules/stripe/read-event';
import { type Db, execute, queryOne, transaction, type Tx } from '../../../entities/database/sql';
import { recordAudit } from '../../journal/audit';
import type { Cause } from '../../journal/cause';
import { enqueue } from '../../journal/outbox';
import { isSignedByStripe } from '../../runtime/connections/stripe';
import {
  findConnectionById,
  type ConnectionRecord,
  type StripeDeps,
} from '../connection/connection';

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
  deps: StripeDeps,
  delivery: Delivery,
  now: Date,
): Promise<void> {
  const connection = await findConnectionById(deps.db.manager, delivery.connectionId);
  if (!connection) throw new AppError('NOT_FOUND');
  if (!isSigned(deps, { connection, delivery, now })) throw new AppError('INVALID_SIGNATURE');

  const text = delivery.body.toString('utf8');
  const header = readEventHeader(parseJson(text));
  if (!header) throw validationError('body', 'is no event: it needs a text id and a text type');
  const id = newId();
  const body = deps.vault.encrypt(text, ['stripe_events.body', id]);
  await transaction(deps.db, (tx) => store(tx, { id, connection, header, body, now }));
}

function isSigned(
  { vault }: StripeDeps,
  { connection, delivery, now }: { connection: ConnectionRecord; delivery: Delivery; now: Date },
): boolean {
  if (connection.webhookSecret === null || delivery.signature === '') return false;
  const secret = vault.decrypt(connection.webhookSecret, [
    'stripe_connections.webhook_secret',
    connection.id,
  ]);
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
  now: Date;
}

async function store(tx: Tx, { id, connection, header, body, now }: Arrival): Promise<void> {
  const foreign = foreignMode(header.livemode, connection.mode);
  const stored = await queryOne<{ id: string; status: StripeEventStatus }>(
    tx,
    `INSERT INTO stripe_events (id, connection_id, workspace_id, mode, stripe_event_id, type,
       api_version, object_id, body, status, error, received_at, touched_at, processed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13)
         ON CONFLICT ON CONSTRAINT uq_stripe_event
         DO UPDATE SET status = 'received', error = NULL, touched_at = excluded.touched_at
          WHERE stripe_events.status = 'failed'
     RETURNING id, status`,
    [
      id,
      connection.id,
      connection.workspaceId,
      connection.mode,
      header.stripeEventId,
      header.type,
      header.apiVersion,
      header.objectId,
      body,
      foreign === null ? 'received' : 'ignored',
      foreign,
      now,
      foreign === null ? null : now,
    ],
  );
  if (stored?.status !== 'received') return;
  await enqueueStripeEvent(tx, { ...connection, id: stored.id, type: header.type }, now);
}

/** Starts the event's workflow, or signals it to look again, once the transaction commits. */
export async function enqueueStripeEvent(
  tx: Tx,
  { id, workspaceId, mode, type }: Scope & { id: string; type: string },
  now: Date,
): Promise<void> {
  const payload = { workspaceId, mode, type: shownType(type) };
  await enqueue(tx, { topic: 'stripe_event', ref: id, payload, availableAt: now });
}

/** Why an event does not belong to this mode; null when it does. */
export function foreignMode(livemode: boolean | null, mode: Mode): string | null {
  if (livemode === (mode === 'live')) return null;
  const told = livemode === null ? 'tells no livemode' : `has livemode ${String(livemode)}`;
  return `The event ${told}; this connection is in ${mode} mode.`;
}

/**
 * Processes a stored event once more. NOT_FOUND (another workspace's or mode's too),
 * STRIPE_EVENT_RUNNING while it is being processed.
 */
export async function replayStripeEvent(
  db: Db,
  { scope, id, ...cause }: Cause & { scope: Scope; id: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    const event = await queryOne<{ status: StripeEventStatus; type: string }>(
      tx,
      `SELECT status, type FROM stripe_events
        WHERE id = $1 AND workspace_id = $2 AND mode = $3 FOR UPDATE`,
      [id, scope.workspaceId, scope.mode],
    );
    if (!event) throw new AppError('NOT_FOUND');
    if (event.status === 'received' || event.status === 'retrying') {
      throw new AppError('STRIPE_EVENT_RUNNING');
    }
    await execute(
      tx,
      `UPDATE stripe_events SET status = 'received', error = NULL, touched_at = $2 WHERE id = $1`,
      [id, cause.now],
    );
    await enqueueStripeEvent(tx, { ...scope, id, type: event.type }, cause.now);
    await recordAudit(tx, {
      workspaceId: scope.workspaceId,
      actor: cause.actor,
      action: 'stripe_event.replayed',
      target: { type: 'stripe_event', id },
      requestId: cause.requestId,
      at: cause.now,
    });
  });
}
