import { insertAll } from '../../entities/database/insert-all';
import { execute, query, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { Biller } from '../../entities/rules/billing/biller';
import type { CodeDiscount } from '../../entities/rules/billing/codes';
import { BillerCode } from '../../entities/tables/billing/biller-code.entity';
import type { PromoCode } from '../../entities/tables/partners/promo-code.entity';
import type { CommandContext } from '../journal/cause';
import { enqueueAll, enqueueSql } from '../journal/outbox';

export type DiscountedCode = Omit<PromoCode, 'createdAt' | 'discount'> & { discount: CodeDiscount };

/** Has a code made, or compared again, at each biller that is connected. */
export async function askForBillerCodes(
  tx: Tx,
  context: CommandContext,
  { id: promoCodeId, code, discount, ...owner }: DiscountedCode,
): Promise<void> {
  const { scope, now } = context;
  const connected = await query<{ biller: Biller }>(
    tx,
    `SELECT biller FROM stripe_connections
      WHERE workspace_id = $1 AND mode = $2 AND deleted_at IS NULL
        AND (restricted_key IS NOT NULL OR webhook_secret IS NOT NULL) ORDER BY biller`,
    [scope.workspaceId, scope.mode],
  );
  const { workspaceId, mode, programId, participantId } = owner;
  await insertAll(tx, {
    into: BillerCode,
    rows: connected.map(({ biller }) => ({
      ...{ id: newId(), workspaceId, mode, programId, participantId, promoCodeId, biller, code },
      ...{ discount, status: 'pending' as const, externalId: null, message: null },
      ...{ askedAt: now, removedAt: null, createdAt: now, updatedAt: now },
    })),
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_biller_code DO NOTHING',
  });
  await askAgain(tx, context, { promoCodeId, set: 'asked_at = $2' });
}

/** Has a code switched off wherever it may have been made. */
export async function askToSwitchOff(
  tx: Tx,
  context: CommandContext,
  promoCodeId: string,
): Promise<void> {
  await askAgain(tx, context, { promoCodeId, set: 'removed_at = $2' });
}

type Cause = Pick<CommandContext, 'now' | 'requestId'>;

/** Has all codes of partners who sell no more switched off, wherever they may have been made. */
export function switchOffCodesOf(
  tx: Tx,
  cause: Cause,
  participantIds: readonly string[],
): Promise<number> {
  const isOn = 'removed_at IS NULL';
  return changeCodesOf(tx, cause, { participantIds, set: 'removed_at = $2', where: isOn });
}

/** Has those made again of a partner who sells again, without those that were taken away by themselves. */
export function switchOnCodesOf(tx: Tx, cause: Cause, participantId: string): Promise<number> {
  return changeCodesOf(tx, cause, {
    participantIds: [participantId],
    set: 'removed_at = NULL, asked_at = $2',
    where: `removed_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM promo_codes AS p WHERE p.id = biller_codes.promo_code_id)`,
  });
}

function changeCodesOf(
  tx: Tx,
  { now, requestId }: Cause,
  { participantIds, set, where }: { participantIds: readonly string[]; set: string; where: string },
): Promise<number> {
  const queued = enqueueSql({
    topic: 'biller_code',
    ref: 'changed.id',
    payload: `jsonb_build_object('mode', changed.mode)`,
    workspaceId: 'changed.workspace_id',
    availableAt: '$2::timestamptz',
    requestId: '$3::text',
    from: 'changed',
  });
  return execute(
    tx,
    `WITH changed AS (
       UPDATE biller_codes SET ${set}, status = 'pending', message = NULL, updated_at = $2
        WHERE participant_id = ANY($1) AND ${where}
        RETURNING id, workspace_id, mode)
     ${queued}`,
    [participantIds, now, requestId ?? null],
  );
}

async function askAgain(
  tx: Tx,
  { scope, now, requestId }: CommandContext,
  { promoCodeId, set }: { promoCodeId: string; set: 'asked_at = $2' | 'removed_at = $2' },
): Promise<void> {
  const asked = await query<{ id: string }>(
    tx,
    `UPDATE biller_codes SET ${set}, status = 'pending', message = NULL, updated_at = $2
      WHERE promo_code_id = $1 AND workspace_id = $3 AND mode = $4 RETURNING id`,
    [promoCodeId, now, scope.workspaceId, scope.mode],
  );
  const { workspaceId, mode } = scope;
  await enqueueAll(
    tx,
    asked.map(({ id: ref }) => ({
      ...{ topic: 'biller_code' as const, ref, workspaceId, requestId },
      ...{ payload: { mode }, availableAt: now },
    })),
  );
}
