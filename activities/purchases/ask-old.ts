import {
  boundedTransaction,
  query,
  rowsAtOnce,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import { billerOf } from '../billing/payments/biller';
import type { ProspectVault } from '../billing/payments/prospect';
import { askOld } from '../credit/ask';
import type { Cause } from '../journal/cause';

/** A sale whose credit is another by all that is known now. */
export interface ChangedSale {
  conversionId: string;
  externalTransactionId: string;
  /** Participants; null for nobody. */
  from: string | null;
  to: string | null;
  currency: string | null;
  /** Cents due. */
  before: number;
  after: number;
}

export interface AskingOld {
  /** The one workspace whose sales are asked; without it all. */
  workspaceId?: string | undefined;
  /** False takes everything back, to show what would change. */
  isApplied: boolean;
}

/**
 * Asks again who is credited with what an earlier release decided: its answers stay until somebody
 * runs this. A customer or subscription is one transaction, and all that hangs together is asked at
 * once; repeating goes on where it ended. Gives what changes as it goes.
 */
export async function* askOldPayments(
  deps: { db: Db; vault: ProspectVault },
  cause: Cause,
  { workspaceId, isApplied }: AskingOld,
): AsyncGenerator<ChangedSale> {
  const asked = new Set<string>();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await oldSales(deps.db, { workspaceId, after });
    for (const sale of page) {
      if (asked.has(sale.id)) continue;
      const { changed, ids } = await askOne(deps, cause, { sale, isApplied });
      // What was asked with another is not asked again, also where nothing is written.
      for (const id of ids) asked.add(id);
      yield* changed;
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

interface OldSale {
  id: string;
  workspaceId: string;
  mode: Mode;
  customer: string | null;
  paymentId: string | null;
}

function oldSales(
  db: Db,
  { workspaceId, after }: { workspaceId: string | undefined; after: string },
): Promise<OldSale[]> {
  return query<OldSale>(
    db,
    `SELECT v.id, v.workspace_id AS "workspaceId", v.mode,
            (SELECT a.customer FROM customer_aliases AS a WHERE a.workspace_id = v.workspace_id
                AND a.mode = v.mode AND a.alias = v.customer_id) AS customer,
            (SELECT p.id FROM stripe_payments AS p WHERE p.conversion_id = v.id
              ORDER BY p.id LIMIT 1) AS "paymentId"
       FROM conversions AS v
      WHERE v.id > $1 AND v.credited_as IS NULL AND ($2::uuid IS NULL OR v.workspace_id = $2)
      ORDER BY v.id LIMIT ${rowsAtOnce}`,
    [after, workspaceId ?? null],
  );
}

interface Asked {
  changed: ChangedSale[];
  ids: string[];
}

async function askOne(
  { db, vault }: { db: Db; vault: ProspectVault },
  cause: Cause,
  { sale, isApplied }: { sale: OldSale; isApplied: boolean },
): Promise<Asked> {
  const { workspaceId, mode, customer, paymentId } = sale;
  // A report that names no customer depends on nothing.
  if (customer === null && paymentId === null) return { changed: [], ids: [] };
  const context = {
    ...cause,
    scope: { workspaceId, mode },
    biller: billerOf(vault, null),
    fact: 'operator' as const,
  };
  const beginning = {
    customers: customer === null ? [] : [customer],
    payments: paymentId === null ? [] : [paymentId],
  };
  const seen: Asked[] = [];
  const work = async (tx: Tx): Promise<void> => {
    const before = await duesOf(tx, context.scope, beginning);
    const { rows } = await askOld(tx, context, beginning);
    const ids = rows.flatMap(({ conversion }) => conversion?.id ?? []);
    const changed = changesOf(before, await duesOf(tx, context.scope, beginning));
    seen.push({ changed, ids });
    if (!isApplied) throw new TakenBackError();
  };
  try {
    await boundedTransaction(db, work);
  } catch (error) {
    if (!(error instanceof TakenBackError)) throw error;
  }
  const [asked] = seen;
  if (!asked) throw new Error('nothing was asked');
  return asked;
}

/** Thrown to undo the transaction: a change that is only shown must not stay. */
class TakenBackError extends Error {
  override readonly name = 'TakenBackError';
}

interface Due {
  id: string;
  externalTransactionId: string;
  participantId: string | null;
  currency: string | null;
  due: number;
}

/** All sales of a customer and of the subscriptions that these pay, with what is due of each. */
function duesOf(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { customers, payments }: { customers: string[]; payments: string[] },
): Promise<Due[]> {
  return query<Due>(
    tx,
    `WITH named AS (
       SELECT alias FROM customer_aliases WHERE customer = ANY ($3::uuid[])
     ), paid AS (
       SELECT p.subscription_id AS subscription, p.customer_id AS buyer FROM stripe_payments AS p
        WHERE p.id = ANY ($4::uuid[]) AND p.workspace_id = $1 AND p.mode = $2
     ), sold AS (
       SELECT v.id FROM conversions AS v
        WHERE v.workspace_id = $1 AND v.mode = $2 AND v.customer_id IN (SELECT alias FROM named)
       UNION
       SELECT p.conversion_id FROM stripe_payments AS p
        WHERE p.workspace_id = $1 AND p.mode = $2
          AND (p.id = ANY ($4::uuid[]) OR p.subscription_id IN (SELECT subscription FROM paid)
            OR p.customer_id IN (SELECT buyer FROM paid UNION SELECT alias FROM named))
     )
     SELECT v.id, v.external_transaction_id AS "externalTransactionId",
            CASE WHEN v.attributed THEN v.participant_id END AS "participantId", v.currency,
            (SELECT coalesce(sum(m.amount_cents), 0)::bigint FROM commissions AS m
              WHERE m.conversion_id = v.id) AS due
       FROM conversions AS v WHERE v.id IN (SELECT id FROM sold) ORDER BY v.occurred_at, v.id`,
    [workspaceId, mode, customers, payments],
  );
}

function changesOf(before: readonly Due[], after: readonly Due[]): ChangedSale[] {
  const known = new Map(before.map((due) => [due.id, due]));
  return after.flatMap(({ id, externalTransactionId, participantId, currency, due }) => {
    const was = known.get(id);
    const from = was?.participantId ?? null;
    const change = { from, to: participantId, before: was?.due ?? 0, after: due };
    const isSame = change.from === change.to && change.before === change.after;
    return isSame ? [] : [{ conversionId: id, externalTransactionId, currency, ...change }];
  });
}
