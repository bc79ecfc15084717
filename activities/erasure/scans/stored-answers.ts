import { execute, query, rowsAtOnce, transaction, type Tx } from '../../../entities/database/sql';
import { concernsPerson, scrub } from '../../../entities/rules/erasure/identity';
import type { Vault } from '../../../runtime/crypto/vault';
import { note, openBox, type ScanCursor, type ScanDeps, type ScanPlace } from './place';

interface StoredAnswer {
  principalId: string;
  path: string;
  key: string;
  answer: string;
  /** The time as the database writes it: an instant of ours would lose its microseconds. */
  createdAt: string;
}

/**
 * Answers to the members' requests of the last day: a retry still finds its answer, without the
 * person. Those of conversions, by far the most, hold no name. Keys are texts of the clients': the
 * cursor is the time alone, and a page ends with all rows of its last moment.
 */
export async function scanStoredAnswers(
  { db, vault }: ScanDeps,
  place: ScanPlace,
  { before }: ScanCursor,
): Promise<Omit<ScanCursor, 'table'> | null> {
  const { workspaceId, mode } = place.participation;
  return transaction(db, async (tx) => {
    const stored = await query<StoredAnswer>(
      tx,
      `SELECT principal_id AS "principalId", path, key, answer, created_at::text AS "createdAt"
         FROM idempotency_keys
        WHERE workspace_id = $1 AND mode = $2 AND answer IS NOT NULL
          AND path NOT LIKE '/api/v1/conversions%' AND created_at < $3::timestamptz
        ORDER BY created_at DESC FETCH FIRST ${rowsAtOnce} ROWS WITH TIES`,
      [workspaceId, mode, before ?? 'infinity'],
    );
    const last = stored.at(-1)?.createdAt ?? null;
    // One order for all, so that two erasures never wait for each other in a circle.
    stored.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    let rows = 0;
    let unreadable = 0;
    for (const answer of stored) {
      const cleaned = await cleanAnswer(tx, { vault, place, answer });
      if (cleaned === undefined) unreadable += 1;
      rows += cleaned ?? 0;
    }
    await note(tx, place, { table: 'idempotency_keys', rows, unreadable });
    return stored.length < rowsAtOnce ? null : { before: last, beforeId: null };
  });
}

function keyOf({ principalId, path, key }: StoredAnswer): string {
  return `${principalId} ${path} ${key}`;
}

/** How many rows it changed; undefined when the answer cannot be read. */
async function cleanAnswer(
  tx: Tx,
  work: { vault: Vault; place: ScanPlace; answer: StoredAnswer },
): Promise<number | undefined> {
  const { vault, place } = work;
  const { mode } = place.participation;
  const { principalId, path, key, answer } = work.answer;
  const row = [principalId, mode, path, key] as const;
  const text = openBox(vault, answer, ['idempotency_keys.answer', ...row]);
  if (text === undefined) return undefined;
  const people = place.participantIds.map((participantId) => ({
    participantId,
    identifying: place.identifying,
  }));
  if (!people.some((person) => concernsPerson(text, person))) return 0;
  const clean = JSON.stringify(
    people.reduce((value, person) => scrub(value, person), JSON.parse(text) as unknown),
  );
  if (clean === text) return 0;
  // An answer that was stored meanwhile is another request's, and read by the second pass.
  return execute(
    tx,
    `UPDATE idempotency_keys SET answer = $5
      WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4 AND answer = $6`,
    [...row, vault.encrypt(clean, ['idempotency_keys.answer', ...row]), answer],
  );
}
