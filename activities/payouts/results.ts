import type { Db, Tx } from '../../entities/database/sql';
import type { PayoutMethod } from '../../entities/rules/payouts/method';
import {
  judgeResults,
  type JudgedResults,
  type ResultChange,
  type ResultItem,
} from '../../entities/rules/payouts/judge-results';
import type { Result, ResultProblem } from '../../entities/rules/payouts/results';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { eventsOf } from './end-payout';
import {
  changePayout,
  lockCommissionsOf,
  lockPayout,
  markItems,
  type MarkedItems,
} from './mark-items';
import { methodOf, payeeRowsOf } from './payees';
import { recordPayout } from './records';

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
  await recordPayout(tx, context, {
    payoutId,
    action: 'payout.results_applied',
    events: eventsOf(sumOf(marked)),
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
  const noted = [...new Set(marked.flatMap((one) => one.noted))];
  return { moved: [...moved.values()].filter(({ from, to }) => from !== to), noted, before, after };
}

async function itemsOf(
  { db: tx, vault }: Stores,
  { scope }: CommandContext,
  payoutId: string,
): Promise<ResultItem[]> {
  const rows = await payeeRowsOf(tx, scope, payoutId);
  return rows.map((row) => {
    const { id, reference, currency, amountCents, status, transactionId, partnerEmail } = row;
    const email = (addressOf(methodOf(vault, row)) ?? partnerEmail).toLowerCase();
    return { id, reference, currency, amountCents, status, transactionId, email };
  });
}

/** Whom a processor that pays by e-mail has paid. */
function addressOf(method: PayoutMethod | null): string | undefined {
  return method?.type === 'paypal' || method?.type === 'wise' ? method.email : undefined;
}
