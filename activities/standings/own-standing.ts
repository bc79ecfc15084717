import { query, type Db } from '../../entities/database/sql';
import { isForGroup, type Bonus } from '../../entities/rules/programs/bonuses';
import type { FigureMetric } from '../../entities/rules/programs/figures';
import { nextStep } from '../../entities/rules/programs/tiers';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { findGroup } from '../programs/group-rows';
import { bonusesOf } from './bonuses';
import { figuresOf } from './figures';
import { tiersOf } from './tiers';

interface OwnTier {
  metric: FigureMetric;
  current: number;
  next: { groupName: string; atLeast: number } | null;
}

export interface OwnBonus extends Pick<
  Bonus,
  'name' | 'metric' | 'atLeast' | 'amountCents' | 'currency'
> {
  current: number;
  /** Payments before it count. */
  until: string | null;
  earned: boolean;
}

/** How far a partner is: to the next group, null where figures lead to none, and to each bonus of theirs. */
export interface OwnStanding {
  tier: OwnTier | null;
  bonuses: OwnBonus[];
}

/** Where a partner of a programme stands. */
export async function standingOf(
  db: Db,
  program: Program,
  participant: Participant,
): Promise<OwnStanding> {
  return {
    tier: await ownTier(db, program, participant.id),
    bonuses: await ownBonuses(db, participant),
  };
}

async function ownTier(db: Db, program: Program, participantId: string): Promise<OwnTier | null> {
  const { metric, steps } = await tiersOf(db, program.id);
  if (steps.length === 0) return null;
  const [figure] = await figuresOf(db, { programId: program.id, participantId }, [{ metric }]);
  const current = figure?.all ?? 0;
  const step = nextStep(steps, current);
  const group = step && (await findGroup(db, program, step.groupId));
  const next = step && group ? { groupName: group.name, atLeast: step.atLeast } : null;
  return { metric, current, next };
}

/** The bonuses that may be earned in the partner's group, and those that the partner has earned. */
async function ownBonuses(
  db: Db,
  { id: participantId, programId, groupId }: Participant,
): Promise<OwnBonus[]> {
  const bonuses = await bonusesOf(db, programId);
  if (bonuses.length === 0) return [];
  const earned = new Set(await earnedIds(db, participantId));
  const shown = bonuses.filter(
    (bonus) => earned.has(bonus.id) || isForGroup(bonus, groupId ?? programId),
  );
  const asked = shown.map(({ metric, window }) => ({ metric, ...window }));
  const figures = await figuresOf(db, { programId, participantId }, asked);
  return shown.map(({ id, name, metric, atLeast, amountCents, currency, window }, n) => ({
    ...{ name, metric, atLeast, amountCents, currency, until: window.to },
    current: figures[n]?.all ?? 0,
    earned: earned.has(id),
  }));
}

/** A bonus that was lost again is not earned as long as it is. */
async function earnedIds(db: Db, participantId: string): Promise<string[]> {
  const rows = await query<{ bonusId: string }>(
    db,
    `SELECT e.bonus_id AS "bonusId" FROM earned_bonuses AS e
       JOIN commissions AS c ON c.id = e.commission_id AND c.status <> 'rejected'
      WHERE e.participant_id = $1`,
    [participantId],
  );
  return rows.map(({ bonusId }) => bonusId);
}
