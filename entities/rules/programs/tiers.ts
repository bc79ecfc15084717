import type { FieldProblem } from '../values/field-problem';
import { isReached, type Figure, type FigureMetric } from './figures';
import type { NamedGroup } from './groups';

export const maxSteps = 10;

/** The figure from which on a partner is in this group. */
export interface TierStep {
  atLeast: number;
  groupId: string;
}

export interface Tiers {
  metric: FigureMetric;
  steps: TierStep[];
}

export const noTiers: Tiers = { metric: 'customers', steps: [] };

/** Steps rise, name each group once, and never the default one. */
export function tierProblems(steps: readonly TierStep[], defaultGroupId: string): FieldProblem[] {
  return steps.flatMap(({ atLeast, groupId }, n) => {
    const before = steps.slice(0, n);
    const isRising = before.every((step) => step.atLeast < atLeast);
    const isTwice = before.some((step) => step.groupId === groupId);
    return [
      ...(isRising
        ? []
        : [{ field: `steps[${n}].atLeast`, message: 'must be above the one before' }]),
      ...(isTwice ? [{ field: `steps[${n}].groupId`, message: 'must name each group once' }] : []),
      ...(groupId === defaultGroupId
        ? [{ field: `steps[${n}].groupId`, message: 'must not be the default group' }]
        : []),
    ];
  });
}

export function groupsOfSteps(steps: readonly TierStep[]): NamedGroup[] {
  return steps.map(({ groupId }, n) => ({ field: `steps[${n}].groupId`, groupId }));
}

interface Standing {
  figure: Figure;
  groupId: string;
  defaultGroupId: string;
  /** Steps that have acted on this partner before. */
  reached: readonly TierStep[];
}

/** Which steps act now, each once for a partner, and where they lead; null for nowhere. */
export function stepsThatAct(
  steps: readonly TierStep[],
  { figure, groupId, defaultGroupId, reached }: Standing,
): { reached: TierStep[]; groupId: string | null } {
  const place = placeOf(steps, groupId, defaultGroupId);
  // A group that no step names is never left.
  if (place === null) return { reached: [], groupId: null };
  const isKnown = (step: TierStep): boolean =>
    reached.some((one) => one.groupId === step.groupId && one.atLeast === step.atLeast);
  const acting = steps.filter((step) => isReached(figure, step.atLeast) && !isKnown(step));
  const highest = acting.at(-1);
  if (!highest) return { reached: [], groupId: null };
  const isAbove = steps.indexOf(highest) > place;
  return { reached: acting, groupId: isAbove ? highest.groupId : null };
}

/** -1 is the default group, which is below all. */
function placeOf(
  steps: readonly TierStep[],
  groupId: string,
  defaultGroupId: string,
): number | null {
  if (groupId === defaultGroupId) return -1;
  const place = steps.findIndex((step) => step.groupId === groupId);
  return place === -1 ? null : place;
}

/** The next step that a figure has not reached. */
export function nextStep(steps: readonly TierStep[], figure: number): TierStep | null {
  return steps.find(({ atLeast }) => atLeast > figure) ?? null;
}
