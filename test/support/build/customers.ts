import { transaction, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { insertCustomers } from '../../../activities/customers/insert';
import type { BuiltParticipant } from './programs';

/** A customer whom this partner brought by a sign-up. */
export async function buildCustomer(
  db: Db,
  participant: Pick<BuiltParticipant, 'id' | 'programId' | 'workspaceId' | 'mode'>,
  customerId = `customer-${newId()}`,
): Promise<{ customerId: string }> {
  const { id: participantId, programId, workspaceId, mode } = participant;
  const now = new Date();
  const fact = { source: 'signup' as const, boundAt: now, speaksFrom: now, paymentId: null };
  const binding = { participantId, programId, ...fact, attribution: null, reason: null };
  const scope = { workspaceId, mode };
  const never = { firstPayments: {}, lastPaidAt: null };
  await transaction(db, (tx) =>
    insertCustomers(tx, [{ scope, now, customerId, binding, ...never }]),
  );
  return { customerId };
}
