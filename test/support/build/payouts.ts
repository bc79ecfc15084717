import { cancelPayout, completePayout, markItem } from '../../../activities/payouts/end-payout';
import type { MarkItem } from '../../../activities/payouts/end-payout';
import type { PayoutRecord } from '../../../activities/payouts/records';
import { createPayout } from '../../../activities/payouts/payouts';
import { settleConversion } from '../../../activities/settlement/settle';
import { newId } from '../../../entities/ids';
import { Commission } from '../../../entities/tables/commissions/commission.entity';
import type { Participant } from '../../../entities/tables/partners/participant.entity';
import { systemActor } from '../../../entities/rules/values/actor';
import { execute, transaction, type Db } from '../../../entities/database/sql';
import { buildCommission, type CommissionOfSale } from './commissions';
import type { BuiltParticipant } from './programs';
import { oneRow } from '../rows';

const cause = () => ({ actor: systemActor, now: new Date() });

/** The context of a command on what belongs to a participant. */
export const contextOf = ({ workspaceId, mode }: Participant) => ({
  ...cause(),
  scope: { workspaceId, mode },
});

/** The code of a refusal, or `ok`. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** What tests of payouts do with a database that is open once the tests run. */
export const payoutsOn = (db: () => Db) => ({
  create: (participant: Participant, commissionIds?: string[], minPayoutCents = 0) =>
    createPayout(db(), contextOf(participant), {
      program: { id: participant.programId, currency: 'usd', minPayoutCents },
      commissionIds,
      reference: 'March',
    }),
  complete: (participant: Participant, payoutId: string) =>
    completePayout(db(), contextOf(participant), { payoutId }),
  cancel: (participant: Participant, payoutId: string, confirmExported = false) =>
    cancelPayout(db(), contextOf(participant), { payoutId, confirmExported }),
  mark: (
    participant: Participant,
    payout: PayoutRecord,
    mark: Omit<MarkItem, 'payoutId' | 'itemId'> & { item?: number },
  ) => {
    const { item = 0, ...rest } = mark;
    const { id: payoutId, items } = payout;
    const itemId = items[item]?.id ?? '';
    return markItem(db(), contextOf(participant), { payoutId, itemId, ...rest });
  },
  approved: (participant: BuiltParticipant, conversionAmountCents = 10_000) =>
    buildCommission(db(), { participant, conversionAmountCents, status: 'approved' }),
  rowOf: ({ id }: { id: string }) => oneRow(db(), Commission, { id }),
  refund: (commission: CommissionOfSale, cents: number) => refund(db(), commission, cents),
});

function refund(db: Db, commission: CommissionOfSale, cents: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { conversionId, workspaceId, mode } = commission;
    await execute(
      tx,
      `INSERT INTO conversion_refunds (id, workspace_id, mode, conversion_id, external_refund_id,
         amount_cents, created_at) VALUES ($1, $2, $3, $4, $1::uuid::text, $5, now())`,
      [newId(), workspaceId, mode, conversionId, cents],
    );
    await settleConversion(tx, { ...cause(), scope: { workspaceId, mode } }, { conversionId });
  });
}
