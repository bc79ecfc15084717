import { query, queryOne, rowsAtOnce, transaction, type Tx } from '../../../entities/database/sql';
import { wordsOf } from '../../../entities/rules/erasure/event-words';
import { eventWithoutPerson, headOfEvent } from '../../../entities/rules/erasure/stripe-event';
import type { Vault } from '../../../runtime/crypto/vault';
import { searchWords, wordHashes } from '../../../runtime/crypto/word-hashes';
import { note, openBox, type ScanCursor, type ScanDeps, type ScanPlace } from './place';
import { BillerEvent } from '../../../entities/tables/billing/biller-event.entity';
import { update } from '../../../entities/database/update';

interface RawEvent {
  id: string;
  body: string;
  /** Its payment was credited to the partner: what it says of money is in other tables. */
  isSpent: boolean;
}

/**
 * Raw events of Stripe's, whatever became of them: what may be processed again keeps its money. Only
 * those that may name the person, by the words kept beside them, are decrypted. They are read
 * without locks, which would hold up those that are processed; those that do name the person are
 * locked and read again.
 */
export async function scanStripeEvents(
  { db, vault }: ScanDeps,
  place: ScanPlace,
  cursor: ScanCursor,
): Promise<Omit<ScanCursor, 'table'> | null> {
  return transaction(db, async (tx) => {
    const page = await readPage(tx, vault, { place, cursor });
    if (!page) return null;
    const events = await query<RawEvent>(
      tx,
      `SELECT ${rawColumns} FROM stripe_events AS e WHERE e.id = ANY($2)`,
      [place.participantIds, page.found],
    );
    const found = events.map((event) => ({ event, clean: cleanedBox(vault, event, place) }));
    const unreadable = found.filter(({ clean }) => clean === 'unreadable').length;
    const hits = found.filter(({ clean }) => clean !== undefined && clean !== 'unreadable');
    const rows = await cleanHits(
      { tx, vault, place },
      hits.map(({ event }) => event.id),
    );
    await note(tx, place, { table: 'stripe_events', rows, unreadable });
    if (page.read < rowsAtOnce) return null;
    return { before: page.before, beforeId: page.beforeId };
  });
}

interface Page {
  read: number;
  /** Events of the page that have to be read. */
  found: string[];
  before: string;
  beforeId: string;
}

/** The next events, without their bodies; undefined when there is none. */
function readPage(
  tx: Tx,
  vault: Pick<Vault, 'contactHash'>,
  { place, cursor }: { place: ScanPlace; cursor: ScanCursor },
): Promise<Page | undefined> {
  const { workspaceId, mode } = place.participation;
  const terms = place.identifying.map((text) => wordHashes(vault, workspaceId, wordsOf(text)));
  return queryOne<Page>(
    tx,
    `WITH page AS MATERIALIZED (
       SELECT e.id, e.received_at, e.words, e.status, e.payment_id FROM stripe_events AS e
        WHERE e.workspace_id = $2 AND e.mode = $3 AND e.received_at >= $6::timestamptz
          AND ($4::timestamptz IS NULL OR (e.received_at, e.id) < ($4, $5::uuid))
        ORDER BY e.received_at DESC, e.id DESC LIMIT ${rowsAtOnce}),
     terms AS MATERIALIZED (
       SELECT array_agg(t.word) AS words FROM unnest($7::int[], $8::int[]) AS t (term, word)
        GROUP BY t.term)
     SELECT (SELECT count(*) FROM page) AS read,
            (SELECT coalesce(array_agg(e.id), '{}') FROM page AS e
              WHERE $9::boolean OR e.words IS NULL
                 OR EXISTS (SELECT 1 FROM terms AS t WHERE e.words @> t.words)
                 OR ${isSpent}) AS found,
            received_at::text AS before, id AS "beforeId"
       FROM page ORDER BY received_at, id LIMIT 1`,
    [
      place.participantIds,
      workspaceId,
      mode,
      cursor.before,
      cursor.beforeId,
      place.since ?? '-infinity',
      terms.flatMap((words, term) => words.map(() => term)),
      terms.flat(),
      // A text that consists of no word may stand anywhere.
      terms.some((words) => words.length === 0),
    ],
  );
}

/** The event is processed, and its payment was credited; `$1`: the participations. */
const isSpent = `(e.status = 'processed' AND EXISTS (SELECT 1 FROM stripe_payments AS p
    JOIN conversions AS v ON v.id = p.conversion_id
   WHERE p.id = e.payment_id AND v.participant_id = ANY($1)))`;

const rawColumns = `e.id, e.body, ${isSpent} AS "isSpent"`;

/** Rows that name the person, locked now and read again: they may have changed since. */
async function cleanHits(
  { tx, vault, place }: { tx: Tx; vault: Vault; place: ScanPlace },
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const events = await query<RawEvent>(
    tx,
    `SELECT ${rawColumns} FROM stripe_events AS e WHERE e.id = ANY($2) ORDER BY e.id FOR UPDATE OF e`,
    [place.participantIds, ids],
  );
  let rows = 0;
  for (const event of events) {
    const clean = cleanedBox(vault, event, place);
    if (clean === undefined || clean === 'unreadable') continue;
    const sealed = vault.encrypt(clean, ['stripe_events.body', event.id]);
    const words = searchWords(vault, place.participation.workspaceId, JSON.parse(clean));
    rows += await update(tx, BillerEvent, {
      set: { body: sealed, words },
      where: { id: event.id },
    });
  }
  return rows;
}

/** The stored event, opened, without the person, as `cleaned` gives it; 'unreadable' when no key opens it. */
function cleanedBox(
  vault: Vault,
  { id, body, isSpent }: RawEvent,
  { identifying }: ScanPlace,
): string | undefined {
  const text = openBox(vault, body, ['stripe_events.body', id]);
  return text === undefined ? 'unreadable' : cleaned(text, isSpent, identifying);
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
