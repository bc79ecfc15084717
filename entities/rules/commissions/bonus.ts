import type { Bonus } from '../programs/bonuses';
import type { Figure } from '../programs/figures';
import type { GroupTerms } from '../programs/groups';
import { pinsWithoutSale, type PinnedTerms } from './amount';
import type { CommissionStatus } from './status';

/** The terms of a bonus as they are pinned; hold and approval each by itself. */
export function bonusTerms(
  { name, amountCents, holdDays, autoApprove }: Bonus,
  group: GroupTerms,
  program: { holdDays: number; autoApprove: boolean },
): PinnedTerms {
  return {
    ...pinsWithoutSale({
      type: 'flat',
      rateBps: null,
      amountCents,
      basis: null,
      holdDays: holdDays ?? group.holdDays ?? program.holdDays,
      autoApprove: autoApprove ?? group.autoApprove ?? program.autoApprove,
    }),
    name,
    groupId: group.id,
    groupName: group.name,
  };
}

/**
 * What becomes of a bonus that was earned, as its figure stands now: lost while it is pending, given again after it
 * was lost. What was approved or paid, and what a person rejected, stays.
 */
export function bonusMove(
  earned: { status: CommissionStatus; isLost: boolean; atLeast: number },
  figure: Figure,
): 'lost' | 'again' | null {
  const isHeld = figure.all >= earned.atLeast;
  if (earned.status === 'pending') return isHeld ? null : 'lost';
  return earned.isLost && isHeld ? 'again' : null;
}
