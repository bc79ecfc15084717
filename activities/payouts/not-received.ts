import { query, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { totalsOf, type CurrencyTotal } from '../../entities/rules/payouts/preview';
import { record } from '../journal/record';
import type { CommandContext } from '../journal/cause';
import { notify } from '../notifications/notify';

export interface NotReceived {
  payoutId: string;
  /** The participations of the partner who says it, in the mode of the request. */
  participantIds: readonly string[];
  /** The message in the partner's own words. */
  message: string | null;
}

/** The hours in which a payout and partner give one notice at most. */
const onceInHours = 24;

/**
 * Tells the merchant's admins that what counts as paid did not arrive; no status changes. Again within
 * a day it is known already, and nobody is told. PAYOUT_NOT_FOUND for another's payout,
 * PAYOUT_ITEM_INVALID_TRANSITION where nothing of it counts as paid.
 */
export function reportNotReceived(
  db: Db,
  cause: Omit<CommandContext, 'scope'>,
  { payoutId, participantIds, message }: NotReceived,
): Promise<void> {
  return transaction(db, async (tx) => {
    const payout = await findOwn(tx, payoutId, participantIds);
    if (!payout) throw new AppError('PAYOUT_NOT_FOUND');
    const { participantId, workspaceId, mode } = payout;
    const items = await noteMissing(tx, cause, { payoutId, participantId });
    if (items.length === 0) return refuseUnpaid(tx, { payoutId, participantId });
    const ids = { payoutId, programId: payout.programId, participantId };
    await notify(tx, cause, [
      {
        side: 'merchant',
        type: 'payout.not_received',
        ...{ feedId: workspaceId, workspaceId, mode, participantId, causeId: newId() },
        data: ids,
        facts: {
          programName: payout.programName,
          partnerName: payout.partnerName,
          amounts: totalsOf(items),
          reason: message,
        },
      },
    ]);
    const audit = { action: 'payout.not_received', target: { type: 'payout', id: payoutId } };
    await record(tx, { ...cause, scope: { workspaceId, mode } }, { audit });
  });
}

interface OwnPayout {
  participantId: string;
  programId: string;
  workspaceId: string;
  mode: CommandContext['scope']['mode'];
  programName: string;
  partnerName: string;
}

function findOwn(
  tx: Tx,
  payoutId: string,
  participantIds: readonly string[],
): Promise<OwnPayout | undefined> {
  return queryOne<OwnPayout>(
    tx,
    `SELECT p.id AS "participantId", p.partner_name AS "partnerName", g.id AS "programId",
            g.name AS "programName", i.workspace_id AS "workspaceId", i.mode
       FROM payout_items AS i JOIN participants AS p ON p.id = i.participant_id
       JOIN programs AS g ON g.id = p.program_id
      WHERE i.payout_id = $1 AND i.participant_id = ANY($2) LIMIT 1`,
    [payoutId, participantIds],
  );
}

interface OfPartner {
  payoutId: string;
  participantId: string;
}

/** The paid items of which nobody was told within a day. */
function noteMissing(
  tx: Tx,
  { now }: Pick<CommandContext, 'now'>,
  { payoutId, participantId }: OfPartner,
): Promise<CurrencyTotal[]> {
  return query<CurrencyTotal>(
    tx,
    `UPDATE payout_items SET not_received_at = $3
      WHERE payout_id = $1 AND participant_id = $2 AND status = 'paid'
        AND (not_received_at IS NULL OR not_received_at <= $3::timestamptz - interval '${onceInHours} hours')
     RETURNING currency, amount_cents AS "amountCents"`,
    [payoutId, participantId, now],
  );
}

async function refuseUnpaid(tx: Tx, { payoutId, participantId }: OfPartner): Promise<void> {
  const paid = await queryOne(
    tx,
    `SELECT 1 FROM payout_items
      WHERE payout_id = $1 AND participant_id = $2 AND status = 'paid' LIMIT 1`,
    [payoutId, participantId],
  );
  if (paid) return;
  const message = 'Nothing of this payout counts as paid.';
  throw new AppError('PAYOUT_ITEM_INVALID_TRANSITION', { message });
}
