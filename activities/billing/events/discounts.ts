import { selectList } from '../../../entities/database/columns';
import { insertAll } from '../../../entities/database/insert-all';
import { execute, query, queryOne, type Db, type Tx } from '../../../entities/database/sql';
import { rulesOf } from '../../../entities/rules/billers';
import type { Biller } from '../../../entities/rules/billing/biller';
import {
  rangeOf,
  withText,
  type DiscountText,
} from '../../../entities/rules/billing/discount-texts';
import type { BillerFacts, Discount } from '../../../entities/rules/billing/rules';
import { BillerDiscount } from '../../../entities/tables/billing/biller-discount.entity';
import type { CommandContext } from '../../journal/cause';
import { askForCodes } from './progress';

interface Told {
  biller: Biller;
  connectionId: string;
  discounts: readonly Discount[];
}

type Kept = Pick<BillerDiscount, 'discountId' | 'code' | 'updatedAt' | 'texts'>;

const columns = selectList(BillerDiscount, 'd', ['discountId', 'code', 'updatedAt', 'texts']);

/** Keeps the texts of discounts, and has the sales processed again that wait for one, or had another. */
export async function saveDiscounts(
  tx: Tx,
  context: CommandContext,
  { biller, connectionId, discounts }: Told,
): Promise<void> {
  for (const { id: discountId, code, toldAt: at } of discounts) {
    const known = await lockTexts(tx, { connectionId, discountId, code, at });
    const texts = withText(known, { at, code });
    const newest = texts.at(-1) ?? { at, code };
    await execute(
      tx,
      `UPDATE biller_discounts SET texts = $3, code = $4, updated_at = $5
        WHERE connection_id = $1 AND discount_id = $2`,
      [connectionId, discountId, JSON.stringify(texts), newest.code, new Date(newest.at)],
    );
    await askForCodes(tx, context, { biller, discountId, code, ...rangeOf(texts, at) });
  }
}

/** What is known of a discount; nothing else of it is saved until the transaction ends. */
async function lockTexts(
  tx: Tx,
  {
    connectionId,
    discountId,
    code,
    at,
  }: DiscountText & { connectionId: string; discountId: string },
): Promise<DiscountText[]> {
  await insertAll(tx, {
    into: BillerDiscount,
    rows: [{ connectionId, discountId, code, updatedAt: new Date(at), texts: [{ at, code }] }],
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_biller_discount DO NOTHING',
  });
  const row = await queryOne<Kept>(
    tx,
    `SELECT ${columns} FROM biller_discounts AS d
      WHERE d.connection_id = $1 AND d.discount_id = $2 FOR UPDATE`,
    [connectionId, discountId],
  );
  return row ? textsOf(row) : [];
}

/** A row of a release that kept the newest text alone has it beside the others. */
function textsOf({ code, updatedAt, texts }: Kept): DiscountText[] {
  const isNewer = updatedAt.getTime() > Date.parse(texts.at(-1)?.at ?? '1970-01-01');
  return isNewer ? withText(texts, { at: updatedAt.toISOString(), code }) : texts;
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
  const rows = await query<Kept>(
    db,
    `SELECT ${columns}
       FROM stripe_connections AS c
       JOIN stripe_connections AS s
         ON s.workspace_id = c.workspace_id AND s.mode = c.mode AND s.biller = c.biller
       JOIN biller_discounts AS d ON d.connection_id = s.id
      WHERE c.id = $1 AND d.discount_id = ANY ($2::text[])`,
    [connectionId, ids],
  );
  const known = rows.flatMap((row) =>
    textsOf(row).map(({ code, at }) => ({ id: row.discountId, code, toldAt: at })),
  );
  return known.length === 0 ? facts : withCodes(facts, known);
}
