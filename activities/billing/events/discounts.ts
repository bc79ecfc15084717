import { insertAll } from '../../../entities/database/insert-all';
import { query, type Db, type Tx } from '../../../entities/database/sql';
import { rulesOf } from '../../../entities/rules/billers';
import type { Biller } from '../../../entities/rules/billing/biller';
import type { BillerFacts, Discount } from '../../../entities/rules/billing/rules';
import { BillerDiscount } from '../../../entities/tables/billing/biller-discount.entity';
import type { CommandContext } from '../../journal/cause';
import { askForCodes } from './progress';

interface Told {
  biller: Biller;
  connectionId: string;
  discounts: readonly Discount[];
}

/** Keeps the texts of discounts, of each the newest, and has payments processed again that wait for one. */
export async function saveDiscounts(
  tx: Tx,
  context: CommandContext,
  { biller, connectionId, discounts }: Told,
): Promise<void> {
  await insertAll(tx, {
    into: BillerDiscount,
    rows: discounts.map(({ id: discountId, code, toldAt }) => ({
      connectionId,
      discountId,
      code,
      updatedAt: toldAt === undefined ? context.now : new Date(toldAt),
    })),
    onConflict: `ON CONFLICT ON CONSTRAINT uq_biller_discount
        DO UPDATE SET code = excluded.code, updated_at = excluded.updated_at
         WHERE excluded.updated_at >= biller_discounts.updated_at`,
  });
  const discountIds = discounts.map(({ id }) => id);
  await askForCodes(tx, context, { biller, discountIds });
}

/** The facts with the texts of discounts that are kept already, of the newest telling to any connection to the biller. */
export async function withStoredCodes(
  db: Db,
  { biller, connectionId }: { biller: Biller; connectionId: string },
  facts: BillerFacts,
): Promise<BillerFacts> {
  const { discountsOf, withCodes } = rulesOf(biller);
  const ids = discountsOf?.(facts) ?? [];
  if (!withCodes || ids.length === 0) return facts;
  const known = await query<Discount>(
    db,
    `SELECT d.discount_id AS id, d.code
       FROM stripe_connections AS c
       JOIN stripe_connections AS s
         ON s.workspace_id = c.workspace_id AND s.mode = c.mode AND s.biller = c.biller
       JOIN biller_discounts AS d ON d.connection_id = s.id
      WHERE c.id = $1 AND d.discount_id = ANY ($2::text[])
      ORDER BY d.updated_at`,
    [connectionId, ids],
  );
  return known.length === 0 ? facts : withCodes(facts, known);
}
