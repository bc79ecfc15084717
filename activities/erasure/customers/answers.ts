import type { Tx } from '../../../entities/database/sql';
import {
  answerWithoutBuyer,
  customerAnswerWithoutBuyer,
} from '../../../entities/rules/erasure/buyer';
import { scrubStoredAnswers } from '../stored-answers';
import type { Buyer, CustomerStores } from './buyer';

/**
 * Answers to reports and refunds. One is stored in the transaction of what it tells of, and therefore
 * at its time; a sign-up may be told again at any time, so that all of those are read.
 */
export async function scrubAnswers(
  stores: CustomerStores & { db: Tx },
  { workspaceId, mode, conversions, replacements }: Buyer,
): Promise<number> {
  const conversionIds = conversions.map(({ id }) => id);
  if (conversionIds.length === 0 && replacements.size === 0) return 0;
  const buyer = { conversionIds: new Set(conversionIds), replacements };
  return scrubStoredAnswers(stores, {
    workspaceId,
    mode,
    where: `(k.path = '/api/v1/customers' OR k.path LIKE '/api/v1/conversions%' AND EXISTS (
      WITH told AS MATERIALIZED (
        SELECT created_at AS at FROM conversions WHERE id = ANY($3)
        UNION ALL SELECT created_at FROM conversion_refunds WHERE conversion_id = ANY($3))
      SELECT 1 FROM told WHERE k.created_at
         BETWEEN told.at - interval '1 minute' AND told.at + interval '1 minute'))`,
    params: [conversionIds],
    clean: (answer, path) =>
      path === '/api/v1/customers'
        ? customerAnswerWithoutBuyer(answer, buyer)
        : answerWithoutBuyer(answer, buyer),
  });
}
