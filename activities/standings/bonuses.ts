import { findOne } from '../../entities/database/find';
import { insertAll } from '../../entities/database/insert-all';
import { query, transaction, type Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import {
  bonusProblems,
  changedBonuses,
  groupsOfBonuses,
  isForGroup,
  type Bonus,
  type BonusInput,
} from '../../entities/rules/programs/bonuses';
import { isReached, type FigureWindow } from '../../entities/rules/programs/figures';
import { ProgramBonuses } from '../../entities/tables/programs/program-bonuses.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { refuseUnknownGroups } from '../programs/group-rows';
import { lockOpenProgram } from '../programs/programs';
import { enqueueStandings } from './ask';
import { figuresOf } from './figures';

/** The bonuses of a programme, in the order in which they were given. */
export async function bonusesOf(db: Db, programId: string): Promise<Bonus[]> {
  const row = await findOne(db, ProgramBonuses, { where: { programId } });
  return row?.bonuses ?? [];
}

export type GivenBonus = BonusInput &
  Omit<Bonus, 'id' | 'window' | 'currency'> & { currency?: string | undefined };

/** The answer's shape: how many partners have reached each and have not earned it. */
export type ReachedBonus = Bonus & { reached: number };

/**
 * Puts bonuses in the place of those that there are, all or none: a known id goes on. Where anybody has reached a
 * new or changed one, `expectedReached` must be their sum. PROGRAM_ARCHIVED, BONUS_REACHED_CHANGED; VALIDATION_ERROR
 * for an unknown id or group, or a window that ends before it begins.
 */
export async function replaceBonuses(
  db: Db,
  context: CommandContext,
  { programId, bonuses, expectedReached }: ReplaceBonuses,
): Promise<ReachedBonus[]> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const before = await bonusesOf(tx, programId);
    const problems = bonusProblems(bonuses, before);
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

/** A window that says nothing of its begin has that of the first time that the bonus was given. */
function bonusOf(given: GivenBonus, { before, currency, now }: Kept): Bonus {
  const known = before.find(({ id }) => id === given.id);
  const { from = known?.window.from ?? now.toISOString(), to = null } = given.window ?? {};
  return {
    id: known?.id ?? newId(),
    name: given.name,
    metric: given.metric,
    atLeast: given.atLeast,
    window: { from, to },
    amountCents: given.amountCents,
    currency: given.currency ?? currency,
    groupIds: given.groupIds ?? null,
    holdDays: given.holdDays,
    autoApprove: given.autoApprove,
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
  if (bonuses.length === 0) return [];
  const partners = await approvedPartners(db, programId);
  const counted: ReachedBonus[] = [];
  for (const bonus of bonuses) {
    const window = windowOf(bonus);
    const figures = await figuresOf(db, programId, { metric: bonus.metric, window });
    const reached = figures.filter(({ participantId, ...figure }) => {
      const partner = partners.get(participantId);
      const isOpen = partner !== undefined && !partner.earned.includes(bonus.id);
      return isOpen && isForGroup(bonus, partner.groupId) && isReached(figure, bonus.atLeast);
    });
    counted.push({ ...bonus, reached: reached.length });
  }
  return counted;
}

/** The window of a bonus as a figure is asked for. */
export function windowOf({ window: { from, to } }: Pick<Bonus, 'window'>): FigureWindow {
  return { from: from === null ? null : new Date(from), to: to === null ? null : new Date(to) };
}

interface ApprovedPartner {
  groupId: string;
  /** Ids of bonuses. */
  earned: string[];
}

async function approvedPartners(db: Db, programId: string): Promise<Map<string, ApprovedPartner>> {
  const rows = await query<ApprovedPartner & { id: string }>(
    db,
    `SELECT p.id, coalesce(p.group_id, p.program_id) AS "groupId",
            ARRAY (SELECT e.bonus_id FROM earned_bonuses AS e WHERE e.participant_id = p.id) AS earned
       FROM participants AS p
      WHERE p.program_id = $1 AND p.status = 'approved' AND p.erased_at IS NULL`,
    [programId],
  );
  return new Map(rows.map(({ id, ...partner }) => [id, partner]));
}
