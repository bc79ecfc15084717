import { groupNameKey } from '../programs/groups';

/** Campaigns of the source become groups: by their names alone, or with what they promise as well. */
export const groupings = ['campaign', 'campaign_and_commission'] as const;
export type Grouping = (typeof groupings)[number];

/** Open money of a partner of theirs in one of their campaigns; null for what names none. */
export interface OpenMoney {
  group: string | null;
  /** The sum in the import's currency, in minor units. */
  ownCents: number;
  /** The sum in all currencies. */
  allCents: number;
}

/** A row of a partner: the campaigns that it names, in its order, and what is open of it. */
export interface GroupClaim {
  n: number;
  groups: readonly string[];
  open: readonly OpenMoney[];
}

/**
 * The one group of a partner, by all their rows: that with most open money, else the first that is named;
 * null where none is. What names no campaign is of the row's first.
 */
export function groupOfClaims(claims: readonly GroupClaim[]): string | null {
  const sums = new Map<string, { name: string; ownCents: number; allCents: number }>();
  for (const { groups, open } of claims.toSorted((a, b) => a.n - b.n)) {
    for (const name of groups) {
      const key = groupNameKey(name);
      if (!sums.has(key)) sums.set(key, { name, ownCents: 0, allCents: 0 });
    }
    for (const { group, ownCents, allCents } of open) {
      const sum = sums.get(groupNameKey(group ?? groups[0] ?? ''));
      if (!sum) continue;
      sum.ownCents += ownCents;
      sum.allCents += allCents;
    }
  }
  // Sorting keeps the order of those that are equal.
  const [most] = [...sums.values()].toSorted(
    (a, b) => b.ownCents - a.ownCents || b.allCents - a.allCents,
  );
  return most?.name ?? null;
}

/** Whether a row names another group than the one that its partner joins. */
export function namesAnother(groups: readonly string[], chosen: string | null): boolean {
  return chosen !== null && groups.some((name) => groupNameKey(name) !== groupNameKey(chosen));
}
