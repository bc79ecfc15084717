import type { Scope } from '../../entities/rules/values/mode';
import { isCodeShaped, promoCodeKey } from '../../entities/rules/partners/referral-code';
import type { StoredSignals } from '../../entities/rules/payments/sale';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { findClick } from '../clicks/clicks';

export interface ResolvedSignals {
  clickId: string | null;
  promoCode: string | null;
}

/** `api`: the programme takes its sales from reports by API alone (`salesFrom`). */
export type Resolution = ResolvedSignals | 'api' | null;

interface Found {
  value: string;
  programId: string;
}

/**
 * Which of a payment's signals are ours: the first id that is a click of this workspace and mode,
 * and the first code that is a partner's, of programmes that take Stripe's sales. A metadata click
 * that is none, with nothing else, is kept, so that the merchant sees CLICK_NOT_FOUND. Null: nothing
 * of ours (docs/reference/payments.md, Signals).
 */
export async function resolveSignals(
  db: Db,
  scope: Scope,
  signals: StoredSignals,
): Promise<Resolution> {
  const clicks = await findClicks(db, scope, signals.clickIds);
  const codes = await findPartnerCodes(db, scope, signals.codes);
  const found = [...clicks, ...codes];
  if (found.length === 0) {
    const [unknown] = signals.metadataClickIds;
    return unknown === undefined ? null : { clickId: unknown, promoCode: null };
  }
  const closed = await closedPrograms(db, found);
  const open = ({ programId }: Found): boolean => !closed.has(programId);
  if (!found.some(open)) return 'api';
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

/** In the order of the signals. */
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

async function closedPrograms(db: Db, found: Found[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM programs WHERE id = ANY ($1::uuid[]) AND sales_from = 'api'`,
    [found.map(({ programId }) => programId)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whether the programme of this partner takes its sales from reports by API alone. */
export async function sellsByApiOnly(
  db: Db,
  scope: Scope,
  participantId: string,
): Promise<boolean> {
  const row = await queryOne<{ salesFrom: string }>(
    db,
    `SELECT g.sales_from AS "salesFrom"
       FROM participants AS p JOIN programs AS g ON g.id = p.program_id
      WHERE p.id = $1 AND p.workspace_id = $2 AND p.mode = $3`,
    [participantId, scope.workspaceId, scope.mode],
  );
  return row?.salesFrom === 'api';
}
