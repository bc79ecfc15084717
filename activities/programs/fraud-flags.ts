import { findOne } from '../../entities/database/find';
import { transaction, type Db } from '../../entities/database/sql';
import { update } from '../../entities/database/update';
import { AppError } from '../../entities/errors';
import type { FraudVerdict } from '../../entities/rules/fraud/fraud';
import { FraudFlag } from '../../entities/tables/conversions/fraud-flag.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';

export interface ResolveFlag {
  programId: string;
  flagId: string;
  state: FraudVerdict;
  note?: string | null | undefined;
}

/**
 * Closes a case for good; what becomes of the commission is a decision of its own. Of several at
 * once one wins. FRAUD_FLAG_NOT_FOUND, FRAUD_FLAG_RESOLVED.
 */
export function resolveFraudFlag(
  db: Db,
  context: CommandContext,
  { programId, flagId, state, note }: ResolveFlag,
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  return transaction(db, async (tx) => {
    const where = { id: flagId, programId, workspaceId, mode };
    const flag = await findOne(tx, FraudFlag, { where, lock: 'UPDATE' });
    if (!flag) throw new AppError('FRAUD_FLAG_NOT_FOUND');
    if (flag.state !== 'open') throw new AppError('FRAUD_FLAG_RESOLVED');
    const resolved = { state, note: note ?? null, resolvedAt: context.now };
    await update(tx, FraudFlag, { set: resolved, where });
    await record(tx, context, {
      audit: { action: `fraud_flag.${state}`, target: { type: 'fraud_flag', id: flagId } },
    });
  });
}
