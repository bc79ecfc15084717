import { AppError } from '../../entities/errors';
import type { ErasureKind, ErasureStatus } from '../../entities/rules/erasure/erasure';
import type { Identity } from '../../entities/rules/erasure/identity';
import { query, queryOne, type Db } from '../../entities/database/sql';
import type { Mode } from '../../entities/rules/values/mode';
import type { Actor } from '../../entities/rules/values/actor';
import type { Vault } from '../runtime/crypto/vault';

export interface ErasureRecord {
  id: string;
  kind: ErasureKind;
  subjectId: string;
  status: ErasureStatus;
  requestedByType: Actor['type'];
  requestedById: string | null;
  mailId: string | null;
  erasedAt: Date;
}

/** What an erasure is known by before it has a row. */
export interface ErasureKey {
  erasureId: string;
  kind: ErasureKind;
  subjectId: string;
}

const erasureColumns = `id, kind, subject_id AS "subjectId", status,
  requested_by_type AS "requestedByType", requested_by_id AS "requestedById", mail_id AS "mailId",
  erased_at AS "erasedAt"`;

export function findErasure(db: Db, erasureId: string): Promise<ErasureRecord | undefined> {
  return queryOne(db, `SELECT ${erasureColumns} FROM erasures WHERE id = $1`, [erasureId]);
}

/** The erasure under a row lock: its steps are taken one after the other. */
export async function lockErasure(db: Db, erasureId: string): Promise<ErasureRecord> {
  const erasure = await queryOne<ErasureRecord>(
    db,
    `SELECT ${erasureColumns} FROM erasures WHERE id = $1 FOR UPDATE`,
    [erasureId],
  );
  if (!erasure) throw new AppError('NOT_FOUND');
  return erasure;
}

/** One participation of the partner. */
export interface Participation {
  id: string;
  partnerId: string;
  programId: string;
  workspaceId: string;
  mode: Mode;
}

/** The participations that an erasure is about: one, or all of an account's, in the order of ids. */
export function participationsOf(
  db: Db,
  { kind, subjectId }: Pick<ErasureRecord, 'kind' | 'subjectId'>,
): Promise<Participation[]> {
  const column = kind === 'account' ? 'partner_id' : 'id';
  return query(
    db,
    `SELECT id, partner_id AS "partnerId", program_id AS "programId",
            workspace_id AS "workspaceId", mode
       FROM participants WHERE ${column} = $1 ORDER BY id`,
    [subjectId],
  );
}

/** What the copies are looked for by; nothing once the erasure is completed. */
export async function identityOf(
  db: Db,
  vault: Pick<Vault, 'decrypt'>,
  erasureId: string,
): Promise<Identity> {
  const row = await queryOne<{ sealed: string }>(
    db,
    'SELECT sealed FROM erasure_identities WHERE erasure_id = $1',
    [erasureId],
  );
  return row
    ? (JSON.parse(vault.decrypt(row.sealed, ['erasure_identities.sealed', erasureId])) as Identity)
    : { names: [], emails: [], codes: [] };
}

/** Everything that the subject was and is known by. The rows must still be as they were. */
export async function readIdentity(
  db: Db,
  { kind, subjectId }: Pick<ErasureRecord, 'kind' | 'subjectId'>,
): Promise<Identity> {
  const own = kind === 'account' ? 'partner_id' : 'id';
  const rows = await query<{ what: keyof Identity; text: string }>(
    db,
    `WITH part AS (SELECT * FROM participants WHERE ${own} = $1)
     SELECT 'names' AS what, partner_name AS text FROM part
     UNION SELECT 'emails', partner_email FROM part
     UNION SELECT 'codes', token FROM referral_tokens
      WHERE participant_id IN (SELECT id FROM part)
     UNION SELECT 'emails', email FROM partner_invites
      WHERE accepted_by IN (SELECT partner_id FROM part)
        AND ($2 OR program_id IN (SELECT program_id FROM part))
     ${kind === 'account' ? ofAccount : ''}`,
    [subjectId, kind === 'account'],
  );
  const pick = (wanted: keyof Identity): string[] =>
    rows.filter(({ what }) => what === wanted).map(({ text }) => text);
  return { names: pick('names'), emails: pick('emails'), codes: pick('codes') };
}

const ofAccount = `
  UNION SELECT 'names', name FROM partner_accounts WHERE id = $1
  UNION SELECT 'emails', email FROM partner_accounts WHERE id = $1
  UNION SELECT 'emails', email FROM email_tokens WHERE side = 'partner' AND account_id = $1
  UNION SELECT 'emails', recipient FROM mails
   WHERE type = 'security.email_changed' AND params->>'accountId' = $1::text
     AND recipient IS NOT NULL
  UNION SELECT 'names', name FROM partner_invites WHERE accepted_by = $1 AND name IS NOT NULL`;
