import { query, type Db, type Tx } from '../../entities/database/sql';
import type { PayoutMethod } from '../../entities/rules/payouts/method';
import { judgeInSteps } from '../../entities/rules/payouts/judge-results';
import type {
  ItemNote,
  JudgedResults,
  ResultChange,
  ResultItem,
} from '../../entities/rules/payouts/judged-results';
import type { ReadRow } from '../../entities/rules/payouts/result-row';
import type { Vault } from '../../runtime/crypto/vault';
import { inSlices } from '../../runtime/load/in-slices';
import type { CommandContext } from '../journal/cause';
import { eventsOfReport } from './end-payout';
import {
  changePayout,
  lockCommissionsOf,
  lockPayout,
  markItems,
  type ItemMark,
  type MarkedItems,
} from './mark-items';
import { methodOf, payeeRowsOf } from './payees';
import { recordPayout } from './records';

export interface ReportResults {
  payoutId: string;
  results: readonly ReadRow[];
}

interface Stores {
  db: Db;
  vault: Pick<Vault, 'decrypt'>;
}

/** What a report would change; it locks nothing and nobody waits for it. */
export async function previewResults(
  { db, vault }: Stores,
  { scope }: Pick<CommandContext, 'scope'>,
  { payoutId, results }: ReportResults,
): Promise<JudgedResults> {
  const items = await itemsOf({ db, vault }, { scope }, { payoutId, results });
  return inSlices(judgeInSteps(items, results));
}

/**
 * What a processor's file says became of a payout's items: all that fits is booked in one
 * transaction, and what does not is told by line. The same file again changes nothing.
 * PAYOUT_NOT_FOUND.
 */
export function reportResults(
  { db, vault }: Stores,
  context: CommandContext,
  command: ReportResults,
): Promise<JudgedResults> {
  const { payoutId, results } = command;
  return changePayout(db, async (tx) => {
    const { scope } = context;
    await lockCommissionsOf(tx, scope, { payoutId, itemIds: await itemIdsOf(tx, payoutId) });
    await lockPayout(tx, scope, payoutId);
    // The items are read under the lock: somebody may have reported one by hand.
    const items = await itemsOf({ db: tx, vault }, context, command);
    const judged = await inSlices(judgeInSteps(items, results));
    if (judged.notes.length > 0) await apply(tx, context, { payoutId, ...judged });
    return judged;
  });
}

async function itemIdsOf(tx: Tx, payoutId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(tx, 'SELECT id FROM payout_items WHERE payout_id = $1', [
    payoutId,
  ]);
  return rows.map(({ id }) => id);
}

async function apply(
  tx: Tx,
  context: CommandContext,
  { payoutId, changes, notes }: { payoutId: string } & Pick<JudgedResults, 'changes' | 'notes'>,
): Promise<void> {
  const marked: MarkedItems[] = [];
  for (const marks of roundsOf(changes, notes)) {
    marked.push(await markItems(tx, context, { payoutId, trigger: 'report', marks }));
  }
  await recordPayout(tx, context, {
    payoutId,
    action: 'payout.results_applied',
    events: eventsOfReport(sumOf(marked)),
  });
}

/**
 * An item that was paid and came back moves twice: each round moves it once. What was told of it is
 * kept with its first move, or without one.
 */
function roundsOf(changes: readonly ResultChange[], notes: readonly ItemNote[]): ItemMark[][] {
  const rounds: ItemMark[][] = [];
  const reports = new Map(notes.map((note) => [note.itemId, note]));
  const seen = new Map<string, number>();
  for (const { itemId, to: status, transactionId, reason } of changes) {
    const round = seen.get(itemId) ?? 0;
    seen.set(itemId, round + 1);
    const told = round === 0 ? (reports.get(itemId)?.reports ?? []) : [];
    // The transaction of an item stays that of its payment: a return has another one.
    const named = status === 'returned' ? null : transactionId;
    (rounds[round] ??= []).push({ itemId, status, transactionId: named, reason, reports: told });
  }
  const unmoved = notes.filter(({ itemId }) => !seen.has(itemId));
  if (unmoved.length > 0) {
    (rounds[0] ??= []).push(
      ...unmoved.map(({ itemId, status, reports: told }) => ({ itemId, status, reports: told })),
    );
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

/** Addresses are opened only where a row is to be found by one. */
async function itemsOf(
  { db, vault }: Stores,
  { scope }: Pick<CommandContext, 'scope'>,
  { payoutId, results }: ReportResults,
): Promise<ResultItem[]> {
  const rows = await payeeRowsOf(db, scope, payoutId);
  const isByAddress = results.some((row) => 'reference' in row && row.reference === null);
  const items = function* (): Generator<void, ResultItem[]> {
    const found: ResultItem[] = [];
    for (const row of rows) {
      const { id, reference, currency, amountCents, status, transactionId, reports } = row;
      const address = isByAddress ? (addressOf(methodOf(vault, row)) ?? row.partnerEmail) : null;
      const email = address?.toLowerCase() ?? null;
      const wantsLook = row.status === 'ready' && row.attentionReason !== null;
      found.push({
        ...{ id, reference, currency, amountCents, status, transactionId, reports },
        ...{ email, wantsLook },
      });
      yield;
    }
    return found;
  };
  return inSlices(items());
}

/** Whom a processor that pays by e-mail has paid. */
function addressOf(method: PayoutMethod | null): string | undefined {
  return method?.type === 'paypal' || method?.type === 'wise' ? method.email : undefined;
}
