import { findOne } from '../../entities/database/find';
import { ErasureIdentity } from '../../entities/tables/erasure/erasure-identity.entity';
import { AppError } from '../../entities/errors';
import {
  erasureMoves,
  type ErasureKind,
  type ErasureTrigger,
} from '../../entities/rules/erasure/erasure';
import type { Identity } from '../../entities/rules/erasure/identity';
import { assertMove, targetOf } from '../../entities/rules/values/moves';
import { selectList } from '../../entities/database/columns';
import { query, queryOne, type Db, type Tx } from '../../entities/database/sql';
import { Erasure } from '../../entities/tables/erasure/erasure.entity';
import { Participant } from '../../entities/tables/partners/participant.entity';
import type { Cause } from '../journal/cause';
import type { Vault } from '../../runtime/crypto/vault';
import { update } from '../../entities/database/update';

/** What an erasure is known by before it has a row. */
export interface ErasureKey {
  erasureId: string;
  kind: ErasureKind;
  subjectId: string;
}

/** Whether an erasure of the subject can no longer be undone, whoever asked for it. */
export async function isPastReturn(
  db: Db,
  { kind, subjectId }: Pick<ErasureKey, 'kind' | 'subjectId'>,
): Promise<boolean> {
  const past = await queryOne(
    db,
    `SELECT 1 FROM erasures
      WHERE kind = $1 AND subject_id = $2 AND status IN ('anonymised', 'completed') LIMIT 1`,
    [kind, subjectId],
  );
  return past !== undefined;
}

/** The erasure under a row lock: its steps are taken one after the other. */
export async function lockErasure(tx: Tx, erasureId: string): Promise<Erasure> {
  const erasure = await findOne(tx, Erasure, { where: { id: erasureId }, lock: 'UPDATE' });
  if (!erasure) throw new AppError('NOT_FOUND');
  return erasure;
}

/** Moves a locked erasure by its table of moves. */
export async function moveErasure(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { erasure, trigger }: { erasure: Erasure; trigger: ErasureTrigger },
): Promise<void> {
  const to = targetOf(erasureMoves, trigger);
  assertMove(erasureMoves, { from: erasure.status, trigger, to });
  await update(tx, Erasure, {
    set: { status: to, completedAt: to === 'completed' ? now : null },
    where: { id: erasure.id },
  });
}

const participationFields = ['id', 'partnerId', 'programId', 'workspaceId', 'mode'] as const;
/** One participation of the partner. */
export type Participation = Pick<Participant, (typeof participationFields)[number]>;

/** The participations that an erasure is about: one, or all of an account's, in the order of ids. */
export function participationsOf(
  db: Db,
  { kind, subjectId }: Pick<Erasure, 'kind' | 'subjectId'>,
): Promise<Participation[]> {
  const column = kind === 'account' ? 'partner_id' : 'id';
  return query(
    db,
    `SELECT ${selectList(Participant, 'p', participationFields)}
       FROM participants AS p WHERE p.${column} = $1 ORDER BY p.id`,
    [subjectId],
  );
}

/**
 * Texts of a workspace and mode are searched once, for all the person's participations there: those
 * that are searched with this one; none when an earlier one's search does it.
 */
export function searchedWith(
  all: readonly Participation[],
  { id, workspaceId, mode }: Participation,
): string[] {
  const there = all.filter((one) => one.workspaceId === workspaceId && one.mode === mode);
  return there[0]?.id === id ? there.map((one) => one.id) : [];
}

/** What the copies are looked for by; nothing once the erasure is completed. */
export async function identityOf(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt'> },
  erasureId: string,
): Promise<Identity> {
  const row = await findOne(db, ErasureIdentity, { where: { erasureId } });
  return row
    ? (JSON.parse(vault.decrypt(row.sealed, ['erasure_identities.sealed', erasureId])) as Identity)
    : { names: [], emails: [], codes: [] };
}

/** Everything that the subject was and is known by. The rows must still be as they were. */
export async function readIdentity(
  db: Db,
  { kind, subjectId }: Pick<Erasure, 'kind' | 'subjectId'>,
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
