import { query, type Db } from '../../../entities/database/sql';
import type { StoredLink } from '../../../entities/rules/imports/stored';
import {
  importedTokenKeys,
  referralTokenKey,
} from '../../../entities/rules/partners/referral-code';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Import } from '../../../entities/tables/imports/import.entity';
import type { Vault } from '../../../runtime/crypto/vault';
import { erasedTokenKey } from '../../partners/referral-tokens';
import { partnersOf, recordsOf, refused, type Judged, type Phase, type Verdict } from './verdict';

export interface LinkVerdict {
  participantId: string | null;
  /** The link or code that the token is already, of this very partner. */
  recordId: string | null;
}

interface Taken {
  /** Exactly: twins that differ by case are two. */
  token: string;
  participantId: string;
  recordId: string;
}

type Stores = { db: Db; vault: Pick<Vault, 'contactHash'> };

/** Tokens and codes: free, this partner's own, or another's. */
export async function judgeLinks(
  { db, vault }: Stores,
  held: Import,
  { rows, phase }: { rows: readonly ImportRow[]; phase: Phase },
): Promise<Judged<LinkVerdict>[]> {
  const partners = await partnersOf(db, held, { rows, phase });
  const keys = rows.flatMap(({ theirKey }) => theirKey ?? []);
  const records = await recordsOf(db, held, { kind: 'links', keys });
  const links = await takenTokens({ db, vault }, held, rows);
  const codes = await takenCodes(db, held, rows);

  const judge = (row: ImportRow): Verdict<LinkVerdict> => {
    const partner = partners.get(row.partnerKey ?? '');
    if (!partner) return refused('PARTNER_UNKNOWN');
    const { participantId } = partner;
    const { kind, token } = linkOf(row);
    const taken = kind === 'code' ? codes.get(token) : links.get(token);
    if (!taken) return { outcome: 'new', participantId, recordId: null };
    if (taken === 'erased' || taken.participantId !== participantId) {
      return refused(kind === 'code' ? 'CODE_TAKEN' : 'TOKEN_TAKEN');
    }
    const isRecorded = records.has(row.theirKey ?? '');
    return { outcome: isRecorded ? 'known' : 'new', participantId, recordId: taken.recordId };
  };
  return rows.map((row) => ({ row, verdict: judge(row) }));
}

export function linkOf({ fields }: ImportRow): StoredLink {
  return fields as StoredLink;
}

/** Who has these tokens, by their exact text. */
async function takenTokens(
  { db, vault }: Stores,
  held: Import,
  rows: readonly ImportRow[],
): Promise<Map<string, Taken | 'erased'>> {
  const tokens = rows.map(linkOf).flatMap(({ kind, token }) => (kind === 'link' ? [token] : []));
  const byKey = new Map(tokens.map((token) => [referralTokenKey(token), token]));
  const erased = new Map(
    tokens.flatMap((token) =>
      [referralTokenKey(token), importedTokenKeys(token).tokenKey].map(
        (key) => [erasedTokenKey(vault, held, key), token] as const,
      ),
    ),
  );
  const found = await query<Taken & { key: string }>(
    db,
    `SELECT token_key AS key, token, participant_id AS "participantId", link_id AS "recordId"
       FROM referral_tokens
      WHERE workspace_id = $1 AND mode = $2
        AND (token_key = ANY ($3::text[]) OR token_key = ANY ($4::text[])
          OR imported_key IS NOT NULL AND imported_key = ANY ($3::text[]))`,
    [held.workspaceId, held.mode, [...byKey.keys()], [...erased.keys()]],
  );
  return new Map(
    found.map(({ key, ...taken }): [string, Taken | 'erased'] => {
      const erasedToken = erased.get(key);
      return erasedToken === undefined ? [taken.token, taken] : [erasedToken, 'erased'];
    }),
  );
}

async function takenCodes(
  db: Db,
  { workspaceId, mode }: Import,
  rows: readonly ImportRow[],
): Promise<Map<string, Taken>> {
  const codes = rows.map(linkOf).flatMap(({ kind, token }) => (kind === 'code' ? [token] : []));
  if (codes.length === 0) return new Map();
  const found = await query<Taken>(
    db,
    `SELECT code AS token, participant_id AS "participantId", id AS "recordId" FROM promo_codes
      WHERE workspace_id = $1 AND mode = $2 AND code = ANY ($3::text[])`,
    [workspaceId, mode, codes],
  );
  return new Map(found.map((taken) => [taken.token, taken]));
}
