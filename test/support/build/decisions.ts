import type { DecideCommand } from '../../../activities/commissions/decide';
import type { CommissionRecord } from '../../../activities/commissions/records';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';

const day = 86_400_000;
export const later = (days: number) => new Date(Date.now() + days * day);

/** Who decides. */
export const member = { type: 'member', id: newId() } as const;

export function command(
  commission: CommissionRecord,
  decision: DecideCommand['decision'],
): DecideCommand {
  const { id, programId } = commission;
  const reason = decision === 'approve' ? null : 'because';
  return { programId, commissionId: id, decision, reason };
}

/** The context of a decision of that member, on what is of a workspace. */
export const contextAt = ({ workspaceId, mode }: Scope, now: Date) => ({
  scope: { workspaceId, mode },
  actor: member,
  now,
});
