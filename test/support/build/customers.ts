import { transaction, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { insertCustomers } from '../../../activities/customers/write';
import type { BuiltParticipant } from './programs';

/** A customer whom this partner brought by a sign-up. */
export async function buildCustomer(
  db: Db,
  participant: Pick<BuiltParticipant, 'id' | 'programId' | 'workspaceId' | 'mode'>,
  customerId = `customer-${newId()}`,
): Promise<{ customerId: string }> {
  const { id: participantId, programId, workspaceId, mode } = participant;
  const now = new Date();
  const binding = { participantId, programId, source: 'signup' as const, boundAt: now };
  await transaction(db, (tx) =>
    insertCustomers(tx, { scope: { workspaceId, mode }, now }, [
      { customerId, binding: { ...binding, attribution: null }, firstPaidAt: null },
    ]),
  );
  return { customerId };
}
