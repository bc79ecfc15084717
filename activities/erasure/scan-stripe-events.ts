import { execute, query, transaction } from '../../entities/database/sql';
import { eventWithoutPerson, headOfEvent } from '../../entities/rules/erasure/stripe-event';
import { note, openBox, type ScanCursor, type ScanDeps, type ScanPlace } from './scan-place';

interface RawEvent {
  id: string;
  receivedAt: Date;
  body: string;
  /** Of a payment that was credited to the partner: what it says of money is in other tables. */
  isSpent: boolean;
}

const eventsAtOnce = 300;

/** Raw events of Stripe's, whatever became of them: what may be processed again keeps its money. */
export async function scanStripeEvents(
  { db, vault }: ScanDeps,
  place: ScanPlace,
  { before, beforeId }: ScanCursor,
): Promise<Omit<ScanCursor, 'table'> | null> {
  const { id: participantId, workspaceId, mode } = place.participation;
  return transaction(db, async (tx) => {
    const events = await query<RawEvent>(
      tx,
      `SELECT e.id, e.received_at AS "receivedAt", e.body,
              e.status = 'processed' AND EXISTS (SELECT 1 FROM stripe_payments AS p
                JOIN conversions AS v ON v.id = p.conversion_id
               WHERE p.id = e.payment_id AND v.participant_id = $3) AS "isSpent"
         FROM stripe_events AS e
        WHERE e.workspace_id = $1 AND e.mode = $2
          AND ($4::timestamptz IS NULL OR (e.received_at, e.id) < ($4, $5::uuid))
        ORDER BY e.received_at DESC, e.id DESC LIMIT ${eventsAtOnce} FOR UPDATE OF e`,
      [workspaceId, mode, participantId, before, beforeId],
    );
    let rows = 0;
    let unreadable = 0;
    for (const { id, body, isSpent } of events) {
      const text = openBox(vault, body, ['stripe_events.body', id]);
      if (text === undefined) unreadable += 1;
      const clean = text && cleaned(text, isSpent, place.identifying);
      if (!clean) continue;
      rows += await execute(tx, 'UPDATE stripe_events SET body = $2 WHERE id = $1', [
        id,
        vault.encrypt(clean, ['stripe_events.body', id]),
      ]);
    }
    await note(tx, place, { table: 'stripe_events', rows, unreadable });
    const last = events.at(-1);
    if (!last || events.length < eventsAtOnce) return null;
    return { before: last.receivedAt.toISOString(), beforeId: last.id };
  });
}

/** The event without the person, of a spent one its head only; undefined when it may stay. */
function cleaned(
  text: string,
  isSpent: boolean,
  identifying: readonly string[],
): string | undefined {
  const event = JSON.parse(text) as Record<string, unknown>;
  const before = JSON.stringify(event);
  const after = JSON.stringify(
    isSpent ? headOfEvent(event) : eventWithoutPerson(event, identifying),
  );
  return after === before ? undefined : after;
}
