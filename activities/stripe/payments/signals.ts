import type { Scope } from '../../../entities/rules/values/mode';
import { isCodeShaped, promoCodeKey } from '../../../entities/rules/partners/referral-code';
import type { PaymentSignals } from '../../../entities/rules/stripe/classify';
import { query, type Db } from '../../../entities/database/sql';
import { findClick } from '../../clicks/clicks';

export interface ResolvedSignals {
  clickId: string | null;
  promoCode: string | null;
}

/**
 * Which of a payment's signals are ours: the first id that is a click of this workspace and mode,
 * and the first code that is a partner's. A metadata click that is none, with nothing else, is
 * kept, so that the merchant sees CLICK_NOT_FOUND. Null: nothing of ours
 * (docs/reference/payments.md, Signals).
 */
export async function resolveSignals(
  db: Db,
  scope: Scope,
  signals: PaymentSignals,
): Promise<ResolvedSignals | null> {
  const clickId = await firstClick(db, scope, signals.clickIds);
  const promoCode = await firstPartnerCode(db, scope, signals.codes);
  if (clickId !== null || promoCode !== null) return { clickId, promoCode };

  const [unknown] = signals.metadataClickIds;
  return unknown === undefined ? null : { clickId: unknown, promoCode: null };
}

async function firstClick(db: Db, scope: Scope, ids: string[]): Promise<string | null> {
  for (const id of ids) {
    const click = await findClick(db, scope, id);
    if (click?.mode === scope.mode) return click.id;
  }
  return null;
}

async function firstPartnerCode(db: Db, scope: Scope, codes: string[]): Promise<string | null> {
  const keys = codes.filter(isCodeShaped).map(promoCodeKey);
  if (keys.length === 0) return null;
  const known = await query<{ code: string }>(
    db,
    `SELECT code FROM promo_codes WHERE workspace_id = $1 AND mode = $2 AND code = ANY ($3::text[])`,
    [scope.workspaceId, scope.mode, keys],
  );
  return keys.find((key) => known.some(({ code }) => code === key)) ?? null;
}
