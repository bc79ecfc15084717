import { query } from '../../../entities/database/sql';
import { isCodeShaped, referralTokenKey } from '../../../entities/rules/partners/referral-code';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { erasedTokenKey, randomToken } from '../../partners/referral-tokens';
import { keyOfRow, type Booking } from './booking';

interface Newcomer {
  row: ImportRow;
  /** The participant's. */
  id: string;
}

/**
 * The referral code of each new participant: their first token that can be one and that nobody has in
 * any case, else a fresh one.
 */
export async function referralCodesFor(
  booking: Booking,
  newcomers: readonly Newcomer[],
): Promise<Map<string, string>> {
  const owners = new Map(newcomers.map(({ row, id }) => [keyOfRow(row), id]));
  const tokens = await query<{ partnerKey: string; token: string }>(
    booking.tx,
    `SELECT partner_key AS "partnerKey", fields->>'token' AS token FROM import_rows
      WHERE import_id = $1 AND partner_key = ANY ($2::text[]) AND kind <> 'partners'
        AND kind = 'links' AND problem IS NULL AND fields->>'kind' = 'link' ORDER BY n`,
    [booking.held.id, [...owners.keys()]],
  );
  const shaped = tokens.filter(({ token }) => isCodeShaped(token));
  const taken = await takenKeys(
    booking,
    shaped.map(({ token }) => referralTokenKey(token)),
  );
  const codes = new Map<string, string>();
  for (const { partnerKey, token } of shaped) {
    const id = owners.get(partnerKey);
    const key = referralTokenKey(token);
    if (id === undefined || codes.has(id) || taken.has(key)) continue;
    codes.set(id, token);
    taken.add(key);
  }
  for (const { id } of newcomers) if (!codes.has(id)) codes.set(id, randomToken());
  return codes;
}

/** The keys among these that are somebody's, or were an erased partner's. */
async function takenKeys(
  { tx, vault, held }: Booking,
  keys: readonly string[],
): Promise<Set<string>> {
  const erased = new Map(keys.map((key) => [erasedTokenKey(vault, held, key), key]));
  const rows = await query<{ tokenKey: string; importedKey: string | null }>(
    tx,
    `SELECT token_key AS "tokenKey", imported_key AS "importedKey" FROM referral_tokens
      WHERE workspace_id = $1 AND mode = $2
        AND (token_key = ANY ($3::text[]) OR token_key = ANY ($4::text[])
          OR imported_key IS NOT NULL AND imported_key = ANY ($3::text[]))`,
    [held.workspaceId, held.mode, keys, [...erased.keys()]],
  );
  return new Set(
    rows.map(({ tokenKey, importedKey }) => importedKey ?? erased.get(tokenKey) ?? tokenKey),
  );
}
