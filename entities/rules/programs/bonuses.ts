import type { FieldProblem } from '../values/field-problem';
import type { FigureMetric } from './figures';
import type { NamedGroup } from './groups';

export const maxBonuses = 20;
export const maxBonusCents = 1_000_000_000;

/** What a partner earns once, by a figure. */
export interface Bonus {
  id: string;
  name: string;
  metric: FigureMetric;
  atLeast: number;
  /** Payments of which times count: ISO instants, from inclusive, to exclusive; null is without end. */
  window: { from: string | null; to: string | null };
  amountCents: number;
  currency: string;
  /** The groups whose partners may earn it; null for all. */
  groupIds: string[] | null;
  /** Null leaves hold and approval to the group, else to the programme. */
  holdDays: number | null;
  autoApprove: boolean | null;
  /** When it was first given: payments count from then where nothing else is said. */
  since: string;
}

/** A bonus as a client sends it. */
export interface BonusInput {
  id?: string | null | undefined;
  window?: { from?: string | null | undefined; to?: string | null | undefined } | null | undefined;
  groupIds?: string[] | null | undefined;
}

/** An id must be known, and stand once; a window must not end before it begins. */
export function bonusProblems(
  bonuses: readonly BonusInput[],
  { known, now }: { known: readonly Pick<Bonus, 'id' | 'since'>[]; now: Date },
): FieldProblem[] {
  const sinceOf = (id: BonusInput['id']): string =>
    known.find((bonus) => bonus.id === id)?.since ?? now.toISOString();
  return bonuses.flatMap(({ id, window }, n) => [
    ...idProblems(id ?? null, { before: bonuses.slice(0, n), known, field: `bonuses[${n}].id` }),
    ...(isCrossed(windowSince(window, sinceOf(id)))
      ? [{ field: `bonuses[${n}].window.to`, message: 'must be after from' }]
      : []),
  ]);
}

interface Place {
  before: readonly BonusInput[];
  known: readonly Pick<Bonus, 'id'>[];
  field: string;
}

function idProblems(id: string | null, { before, known, field }: Place): FieldProblem[] {
  if (id === null) return [];
  if (!known.some((bonus) => bonus.id === id)) {
    return [
      { field, message: 'must be the id of a bonus of the programme; leave it out for a new one' },
    ];
  }
  return before.some((bonus) => bonus.id === id) ? [{ field, message: 'must stand once' }] : [];
}

/** A window as it is kept, in UTC; without a begin it has that of the first time that the bonus was given. */
export function windowSince(window: BonusInput['window'], since: string): Bonus['window'] {
  const { from = since, to = null } = window ?? {};
  return { from: isoOf(from), to: isoOf(to) };
}

function isoOf(instant: string | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

function isCrossed({ from, to }: Bonus['window']): boolean {
  return from !== null && to !== null && Date.parse(to) <= Date.parse(from);
}

/** The groups that bonuses name, each by its place. */
export function groupsOfBonuses(bonuses: readonly BonusInput[]): NamedGroup[] {
  return bonuses.flatMap(({ groupIds }, n) =>
    (groupIds ?? []).map((groupId) => ({ field: `bonuses[${n}].groupIds`, groupId })),
  );
}

/** New ones, and those that count or pay otherwise than before: a name, a hold and an approval change neither. */
export function changedBonuses(before: readonly Bonus[], after: readonly Bonus[]): Bonus[] {
  return after.filter((bonus) => {
    const known = before.find(({ id }) => id === bonus.id);
    return !known || factsOf(known) !== factsOf(bonus);
  });
}

function factsOf({ metric, atLeast, window, amountCents, currency, groupIds }: Bonus): string {
  const groups = groupIds && groupIds.toSorted();
  return JSON.stringify([metric, atLeast, window.from, window.to, amountCents, currency, groups]);
}

/** Whether a partner of the group may earn it. */
export function isForGroup({ groupIds }: Pick<Bonus, 'groupIds'>, groupId: string): boolean {
  return groupIds === null || groupIds.includes(groupId);
}
