import { findOne } from '../../entities/database/find';
import { insertAll } from '../../entities/database/insert-all';
import { transaction, type Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import {
  bonusProblems,
  changedBonuses,
  groupsOfBonuses,
  windowSince,
  type Bonus,
  type BonusInput,
} from '../../entities/rules/programs/bonuses';
import { ProgramBonuses } from '../../entities/tables/programs/program-bonuses.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { refuseUnknownGroups } from '../programs/group-rows';
import { lockOpenProgram } from '../programs/programs';
import { enqueueStandings } from './ask';
import { countReached } from './figures';

/** The bonuses of a programme, in the order in which they were given. */
export async function bonusesOf(db: Db, programId: string): Promise<Bonus[]> {
  const row = await findOne(db, ProgramBonuses, { where: { programId } });
  return row?.bonuses ?? [];
}

export type GivenBonus = BonusInput &
  Omit<Bonus, 'id' | 'window' | 'currency' | 'since'> & { currency?: string | undefined };

/** The answer's shape: how many partners have reached each and have not earned it. */
export type ReachedBonus = Bonus & { reached: number };

/**
 * Replaces all bonuses of a programme, or none. One that is given with a known id goes on as the same bonus. Where
 * partners have already reached a new or changed one, `expectedReached` must be how many, summed over all.
 * PROGRAM_ARCHIVED, BONUS_REACHED_CHANGED; VALIDATION_ERROR for an unknown id or group, or a window that ends
 * before it begins.
 */
export async function replaceBonuses(
  db: Db,
  context: CommandContext,
  { programId, bonuses, expectedReached }: ReplaceBonuses,
): Promise<ReachedBonus[]> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const before = await bonusesOf(tx, programId);
    const problems = bonusProblems(bonuses, { known: before, now: context.now });
    if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems });
    await refuseUnknownGroups(tx, program, groupsOfBonuses(bonuses));
    const { workspaceId, mode, currency } = program;
    const after = bonuses.map((given) => bonusOf(given, { before, currency, now: context.now }));
    const counted = await withReached(tx, programId, after);
    const changed = new Set(changedBonuses(before, after).map(({ id }) => id));
    refuseOtherReached(
      counted.filter(({ id }) => changed.has(id)),
      expectedReached,
    );
    const row = { programId, workspaceId, mode, bonuses: after, updatedAt: context.now };
    await insertAll(tx, {
      into: ProgramBonuses,
      rows: [row],
      onConflict: `ON CONFLICT (program_id) DO UPDATE
        SET bonuses = excluded.bonuses, updated_at = excluded.updated_at`,
    });
    const target = { type: 'program', id: programId };
    await record(tx, context, { audit: { action: 'program.bonuses_replaced', target } });
    await enqueueStandings(tx, context, [{ programId }]);
    return counted;
  });
}

interface ReplaceBonuses {
  programId: string;
  bonuses: readonly GivenBonus[];
  expectedReached?: number | undefined;
}

interface Kept {
  before: readonly Bonus[];
  currency: string;
  now: Date;
}

function bonusOf(given: GivenBonus, { before, currency, now }: Kept): Bonus {
  const known = before.find(({ id }) => id === given.id);
  const since = known?.since ?? now.toISOString();
  return {
    id: known?.id ?? newId(),
    name: given.name,
    metric: given.metric,
    atLeast: given.atLeast,
    window: windowSince(given.window, since),
    amountCents: given.amountCents,
    currency: given.currency ?? currency,
    groupIds: given.groupIds ?? null,
    holdDays: given.holdDays,
    autoApprove: given.autoApprove,
    since,
  };
}

function refuseOtherReached(changed: readonly ReachedBonus[], expected: number | undefined): void {
  const sum = changed.reduce((all, { reached }) => all + reached, 0);
  if (sum === (expected ?? 0)) return;
  const message = `${sum} approved partner(s) have reached what is new or changed. Give this number as expectedReached.`;
  throw new AppError('BONUS_REACHED_CHANGED', { message });
}

/** Each with how many approved partners of its groups have its figure and have not earned it. */
export async function withReached(
  db: Db,
  programId: string,
  bonuses: readonly Bonus[],
): Promise<ReachedBonus[]> {
  const asked = bonuses.map(({ window, ...bonus }) => ({ ...bonus, ...window }));
  const counts = await countReached(db, { programId }, asked);
  return bonuses.map((bonus, n) => ({ ...bonus, reached: counts[n] ?? 0 }));
}
