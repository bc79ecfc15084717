import { query, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { PayoutMethod } from '../../entities/rules/payouts/method';
import {
  judgeResults,
  type JudgedResults,
  type ResultChange,
  type ResultItem,
} from '../../entities/rules/payouts/judge-results';
import type { Result, ResultProblem } from '../../entities/rules/payouts/results';
import type { Vault } from '../../runtime/crypto/vault';
import { openMethod } from '../accounts/payout-method';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { eventsOf } from './end-payout';
import {
  changePayout,
  lockCommissionsOf,
  lockPayout,
  markItems,
  type MarkedItems,
} from './mark-items';
import { findPayout, payoutEvent } from './records';
import { methodCounts } from './method-counts';

export interface ReportResults {
  payoutId: string;
  results: readonly (Result | ResultProblem)[];
  /** Says what would change, and changes nothing. */
  isDryRun: boolean;
}

interface Stores {
  db: Db;
  vault: Pick<Vault, 'decrypt'>;
}

/**
 * What a processor's file says became of a payout's items: all that fits is booked in one
 * transaction, and what does not is told by line. The same file again changes nothing.
 * PAYOUT_NOT_FOUND.
 */
export function reportResults(
  { db, vault }: Stores,
  context: CommandContext,
  { payoutId, results, isDryRun }: ReportResults,
): Promise<JudgedResults> {
  return changePayout(db, async (tx) => {
    const { scope } = context;
    const itemIds = (await itemsOf({ db: tx, vault }, context, payoutId)).map(({ id }) => id);
    await lockCommissionsOf(tx, scope, { payoutId, itemIds });
    await lockPayout(tx, scope, payoutId);
    // Read again under the lock: somebody may have reported one by hand.
    const judged = judgeResults(await itemsOf({ db: tx, vault }, context, payoutId), results);
    if (!isDryRun && judged.changes.length > 0) {
      await apply(tx, context, { payoutId, changes: judged.changes });
    }
    return judged;
  });
}

async function apply(
  tx: Tx,
  context: CommandContext,
  { payoutId, changes }: { payoutId: string; changes: readonly ResultChange[] },
): Promise<void> {
  const marked: MarkedItems[] = [];
  for (const round of roundsOf(changes)) {
    const marks = round.map(({ to: status, ...change }) => ({ ...change, status }));
    marked.push(await markItems(tx, context, { payoutId, trigger: 'report', marks }));
  }
  const payout = await findPayout(tx, context.scope, payoutId);
  if (!payout) throw new AppError('PAYOUT_NOT_FOUND');
  await record(tx, context, {
    audit: { action: 'payout.results_applied', target: { type: 'payout', id: payoutId } },
    events: eventsOf(sumOf(marked)).map((event) => payoutEvent(payout, event)),
  });
}

/** An item that was paid and came back moves twice: each round moves it once. */
function roundsOf(changes: readonly ResultChange[]): ResultChange[][] {
  const rounds: ResultChange[][] = [];
  const seen = new Map<string, number>();
  for (const change of changes) {
    const round = seen.get(change.itemId) ?? 0;
    seen.set(change.itemId, round + 1);
    (rounds[round] ??= []).push(change);
  }
  return rounds;
}

/** What the rounds did together: of an item that moved twice, where it began and ended. */
function sumOf(marked: readonly MarkedItems[]): MarkedItems {
  const moved = new Map<string, MarkedItems['moved'][number]>();
  for (const move of marked.flatMap((one) => one.moved)) {
    moved.set(move.itemId, { ...move, from: moved.get(move.itemId)?.from ?? move.from });
  }
  const [before, after] = [marked[0]?.before, marked.at(-1)?.after];
  if (!before || !after) throw new Error('nothing was marked');
  return { moved: [...moved.values()].filter(({ from, to }) => from !== to), before, after };
}

type Row = Omit<ResultItem, 'email'> & {
  partnerId: string;
  partnerEmail: string;
  box: string | null;
};

async function itemsOf(
  { db: tx, vault }: Stores,
  { scope }: CommandContext,
  payoutId: string,
): Promise<ResultItem[]> {
  const rows = await query<Row>(
    tx,
    `SELECT i.id, i.reference, i.currency, i.amount_cents AS "amountCents", i.status,
            i.transaction_id AS "transactionId", p.partner_id AS "partnerId",
            p.partner_email AS "partnerEmail", a.payout_method_encrypted AS box
       FROM payout_items AS i
       JOIN participants AS p ON p.id = i.participant_id
       LEFT JOIN partner_accounts AS a
         ON a.id = p.partner_id AND a.erased_at IS NULL AND ${methodCounts}
      WHERE i.payout_id = $1 AND i.workspace_id = $2 AND i.mode = $3 ORDER BY i.id`,
    [payoutId, scope.workspaceId, scope.mode],
  );
  return rows.map(({ box, partnerId: accountId, partnerEmail, ...item }) => {
    const method = box === null ? null : openMethod(vault, { box, accountId });
    return { ...item, email: (addressOf(method) ?? partnerEmail).toLowerCase() };
  });
}

/** Whom a processor that pays by e-mail has paid. */
function addressOf(method: PayoutMethod | null): string | undefined {
  return method?.type === 'paypal' || method?.type === 'wise' ? method.email : undefined;
}
