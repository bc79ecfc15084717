import { insertAll } from '../../entities/database/insert-all';
import { query, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { Biller } from '../../entities/rules/billing/biller';
import type { CodeDiscount } from '../../entities/rules/billing/codes';
import { BillerCode } from '../../entities/tables/billing/biller-code.entity';
import type { PromoCode } from '../../entities/tables/partners/promo-code.entity';
import type { CommandContext } from '../journal/cause';
import { enqueueAll } from '../journal/outbox';

export type DiscountedCode = Omit<PromoCode, 'createdAt' | 'discount'> & { discount: CodeDiscount };

/** Has a code made, or looked at again, at each biller that is connected. */
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
