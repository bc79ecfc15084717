import { execute, query, type Tx } from '../../../entities/database/sql';
import {
  answerWithoutBuyer,
  customerAnswerWithoutBuyer,
} from '../../../entities/rules/erasure/buyer';
import type { Buyer, CustomerStores } from './buyer';
import { openBox } from '../scans/place';

interface StoredAnswer {
  principalId: string;
  path: string;
  key: string;
  answer: string;
}

/**
 * Answers to reports and refunds of the last day: a retry still finds its answer, without the buyer.
 * One is stored in the transaction of what it tells of, and therefore at its time; a sign-up may be
 * told again at any time, so that all of those are read.
 */
export async function scrubAnswers(
  { db: tx, vault }: CustomerStores & { db: Tx },
  { workspaceId, mode, conversions, replacements }: Buyer,
): Promise<number> {
  const conversionIds = conversions.map(({ id }) => id);
  if (conversionIds.length === 0 && replacements.size === 0) return 0;
  const stored = await query<StoredAnswer>(
    tx,
    `WITH told AS (
       SELECT created_at AS at FROM conversions WHERE id = ANY($3)
       UNION ALL SELECT created_at FROM conversion_refunds WHERE conversion_id = ANY($3))
     SELECT k.principal_id AS "principalId", k.path, k.key, k.answer FROM idempotency_keys AS k
      WHERE k.workspace_id = $1 AND k.mode = $2 AND k.answer IS NOT NULL
        AND (k.path = '/api/v1/customers' OR k.path LIKE '/api/v1/conversions%' AND EXISTS (
          SELECT 1 FROM told WHERE k.created_at
            BETWEEN told.at - interval '1 minute' AND told.at + interval '1 minute'))
      ORDER BY k.principal_id, k.path, k.key FOR UPDATE`,
    [workspaceId, mode, conversionIds],
  );
  const buyer = { conversionIds: new Set(conversionIds), replacements };
  let rows = 0;
  for (const { principalId, path, key, answer } of stored) {
    const place = ['idempotency_keys.answer', principalId, mode, path, key] as const;
    const text = openBox(vault, answer, place);
    const cleaned = path === '/api/v1/customers' ? customerAnswerWithoutBuyer : answerWithoutBuyer;
    const clean = text && JSON.stringify(cleaned(JSON.parse(text), buyer));
    if (!clean || clean === text) continue;
    rows += await execute(
      tx,
      `UPDATE idempotency_keys SET answer = $5
        WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4`,
      [principalId, mode, path, key, vault.encrypt(clean, place)],
    );
  }
  return rows;
}
