import { execute, query, type Tx } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import type { Vault } from '../../runtime/crypto/vault';
import { openBox } from './scans/place';

interface StoredAnswer {
  principalId: string;
  path: string;
  key: string;
  answer: string;
}

/** Which stored answers `k` of a workspace and mode are read, and what of each stays. */
export interface Scrubbing extends Scope {
  /** SQL condition, with parameters from $3 on. */
  where: string;
  params?: unknown[];
  clean: (answer: unknown, path: string) => unknown;
}

/**
 * Answers to requests of the last day: a retry still finds its answer, without the person. One that
 * cannot be read stays. Returns how many it changed.
 */
export async function scrubStoredAnswers(
  { db: tx, vault }: { db: Tx; vault: Pick<Vault, 'encrypt' | 'decrypt'> },
  { workspaceId, mode, where, params = [], clean }: Scrubbing,
): Promise<number> {
  const stored = await query<StoredAnswer>(
    tx,
    `SELECT k.principal_id AS "principalId", k.path, k.key, k.answer FROM idempotency_keys AS k
      WHERE k.workspace_id = $1 AND k.mode = $2 AND k.answer IS NOT NULL AND ${where}
      ORDER BY k.principal_id, k.path, k.key FOR UPDATE`,
    [workspaceId, mode, ...params],
  );
  let rows = 0;
  for (const { principalId, path, key, answer } of stored) {
    const place = ['idempotency_keys.answer', principalId, mode, path, key] as const;
    const text = openBox(vault, answer, place);
    const cleaned = text && JSON.stringify(clean(JSON.parse(text), path));
    if (!cleaned || cleaned === text) continue;
    rows += await execute(
      tx,
      `UPDATE idempotency_keys SET answer = $5
        WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4`,
      [principalId, mode, path, key, vault.encrypt(cleaned, place)],
    );
  }
  return rows;
}
