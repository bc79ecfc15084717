import type { Scope } from '../../entities/rules/values/mode';
import { isCodeShaped, promoCodeKey } from '../../entities/rules/partners/referral-code';
import type { Biller } from '../../entities/rules/billing/biller';
import type { StoredSignals } from '../../entities/rules/payments/sale';
import { query, type Db } from '../../entities/database/sql';
import { findClick } from '../clicks/clicks';

export interface ResolvedSignals {
  clickId: string | null;
  promoCode: string | null;
}

/** `elsewhere`: the programme takes no sales of this biller's (`salesFrom`). */
export type Resolution = ResolvedSignals | 'elsewhere' | null;

interface Found {
  value: string;
  programId: string;
}

/**
 * Which of a payment's signals are ours: the first id that is a click of this workspace and mode,
 * and the first code that is a partner's, of programmes that take the biller's sales. A metadata click
 * that is none, with nothing else, is kept, so that the merchant sees CLICK_NOT_FOUND. Null: nothing
 * of ours (docs/reference/payments.md, Signals).
 */
export async function resolveSignals(
  db: Db,
  scope: Scope,
  { biller, signals }: { biller: Biller; signals: StoredSignals },
): Promise<Resolution> {
  const clicks = await findClicks(db, scope, signals.clickIds);
  const codes = await findPartnerCodes(db, scope, signals.codes);
  const found = [...clicks, ...codes];
  if (found.length === 0) {
    const [unknown] = signals.metadataClickIds;
    return unknown === undefined ? null : { clickId: unknown, promoCode: null };
  }
  const closed = await closedPrograms(db, biller, found);
  const open = ({ programId }: Found): boolean => !closed.has(programId);
  if (!found.some(open)) return 'elsewhere';
  return {
    clickId: clicks.find(open)?.value ?? null,
    promoCode: codes.find(open)?.value ?? null,
  };
}

async function findClicks(db: Db, scope: Scope, ids: string[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const id of ids) {
    const click = await findClick(db, scope, id);
    if (click?.mode === scope.mode) found.push({ value: click.id, programId: click.programId });
  }
  return found;
}

/** The partners of promo codes, in the order of the codes. */
async function findPartnerCodes(db: Db, scope: Scope, codes: string[]): Promise<Found[]> {
  const keys = codes.filter(isCodeShaped).map(promoCodeKey);
  if (keys.length === 0) return [];
  const known = await query<Found>(
    db,
    `SELECT code AS value, program_id AS "programId" FROM promo_codes
      WHERE workspace_id = $1 AND mode = $2 AND code = ANY ($3::text[])`,
    [scope.workspaceId, scope.mode, keys],
  );
  return keys.flatMap((key) => known.filter(({ value }) => value === key));
}

async function closedPrograms(db: Db, biller: Biller, found: Found[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM programs WHERE id = ANY ($1::uuid[]) AND sales_from NOT IN ('both', $2)`,
    [found.map(({ programId }) => programId), biller],
  );
  return new Set(rows.map(({ id }) => id));
}
