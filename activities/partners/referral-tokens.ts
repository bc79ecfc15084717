import { insertAll } from '../../entities/database/insert-all';
import { randomInt } from 'node:crypto';
import { AppError } from '../../entities/errors';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import type { ParticipantStatus } from '../../entities/rules/partners/participant-status';
import { readingsOf } from '../../entities/rules/clicks/ref';
import { isImportedToken } from '../../entities/rules/imports/token';
import { isCodeShaped, referralTokenKey } from '../../entities/rules/partners/referral-code';
import { selectList } from '../../entities/database/columns';
import { ReferralToken } from '../../entities/tables/partners/referral-token.entity';
import { Program } from '../../entities/tables/programs/program.entity';
import { execute, prepared, queryOne, type Db, type Tx } from '../../entities/database/sql';
import type { Vault } from '../../runtime/crypto/vault';
import { TrackingLink } from '../../entities/tables/partners/tracking-link.entity';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { update } from '../../entities/database/update';

const ofToken = ['linkId', 'participantId', 'programId'] as const;

/** Who and what a `?ref=` stands for. */
export interface ResolvedReferral extends Pick<ReferralToken, (typeof ofToken)[number]> {
  participantStatus: ParticipantStatus;
  /** An erased participant is never credited: the caller answers as for an unknown ref. */
  erased: boolean;
  attributionWindowDays: number;
  targetUrl: string;
}

/** A participant as far as its codes and links are concerned. */
export interface TokenOwner {
  workspaceId: string;
  mode: Mode;
  programId: string;
  participantId: string;
}

/** Codes and links by their key; tokens of old links, which may differ by case alone, by what they share. */
const resolveSql = `
  SELECT token.token, ${selectList(ReferralToken, 'token', ofToken)},
         participant.status AS "participantStatus", participant.erased_at IS NOT NULL AS erased,
         ${selectList(Program, 'program', ['attributionWindowDays'])},
         coalesce(link.target_url, program.website_url) AS "targetUrl"
    FROM (SELECT * FROM referral_tokens
           WHERE workspace_id = $1 AND mode = $2 AND token_key = $3
           UNION ALL
          SELECT * FROM referral_tokens
           WHERE workspace_id = $1 AND mode = $2 AND imported_key = $3) token
    JOIN participants participant ON participant.id = token.participant_id
    JOIN programs program ON program.id = token.program_id
    JOIN tracking_links link ON link.id = token.link_id
   WHERE token.retired_at IS NULL`;

/** Whether a text can lead anywhere: a code or token of ours, or one of an old link. */
export function isRef(text: string): boolean {
  return isCodeShaped(text) || isImportedToken(text);
}

/**
 * Finds what a `?ref=` leads to, in every participant and programme status: the token that is the very
 * text, else the only one that is in another case. Undefined for a string that was never issued here or
 * whose link was deleted. One prepared statement.
 */
export async function resolveReferralToken(
  db: Db,
  scope: Scope,
  ref: string,
): Promise<ResolvedReferral | undefined> {
  if (!isRef(ref)) return undefined;
  const rows = await prepared<ResolvedReferral & { token: string }>(db, {
    name: 'resolve_referral_token',
    text: resolveSql,
    values: [scope.workspaceId, scope.mode, referralTokenKey(ref)],
  });
  const found =
    rows.find(({ token }) => token === ref) ?? (rows.length === 1 ? rows[0] : undefined);
  if (!found) return undefined;
  const { token: _, ...referral } = found;
  return referral;
}

/** The same for a ref as it was pasted: what it most likely means. */
export async function resolvePastedReferral(
  db: Db,
  scope: Scope,
  ref: string,
): Promise<ResolvedReferral | undefined> {
  for (const reading of readingsOf(ref)) {
    const found = await resolveReferralToken(db, scope, reading);
    if (found && !found.erased) return found;
  }
  return undefined;
}

/** Claims a string for a link. REFERRAL_CODE_TAKEN when it is taken in the workspace and mode. */
export async function takeToken(
  tx: Tx,
  owner: TokenOwner,
  claim: { token: string; kind: 'code' | 'link'; linkId: string; now: Date },
): Promise<void> {
  if (!(await tryClaimToken(tx, owner, claim))) throw new AppError('REFERRAL_CODE_TAKEN');
}

/**
 * Refuses a code that an erased partner had: REFERRAL_CODE_TAKEN. Only its keyed hash is known, and
 * whoever follows an old link must not be credited to another partner.
 */
export async function refuseErasedCode(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  { scope }: { scope: Scope },
  code: string,
): Promise<void> {
  const taken = await queryOne(
    db,
    'SELECT 1 FROM referral_tokens WHERE workspace_id = $1 AND mode = $2 AND token_key = $3',
    [scope.workspaceId, scope.mode, erasedTokenKey(vault, scope, referralTokenKey(code))],
  );
  if (taken) throw new AppError('REFERRAL_CODE_TAKEN');
}

/** What stands for the key of an erased partner's code; a visitor cannot carry it. */
export function erasedTokenKey(
  vault: Pick<Vault, 'contactHash'>,
  { workspaceId, mode }: Scope,
  tokenKey: string,
): string {
  return `erased:${vault.contactHash(`referral:${workspaceId}:${mode}:${tokenKey}`)}`;
}

/** Claims a fresh random string and returns it. */
export async function takeFreshToken(
  tx: Tx,
  owner: TokenOwner,
  claim: { kind: 'code' | 'link'; linkId: string; now: Date },
): Promise<string> {
  for (;;) {
    const token = randomToken();
    if (await tryClaimToken(tx, owner, { ...claim, token })) return token;
  }
}

/**
 * Makes a code the participant's current one. One of its own, a past one too, is taken up again;
 * one of another participant, or a link's token, is REFERRAL_CODE_TAKEN. Past codes go on resolving.
 */
export async function setReferralCode(
  tx: Tx,
  owner: TokenOwner,
  change: { code: string; now: Date },
): Promise<void> {
  const { code, now } = change;
  const link = await queryOne<{ id: string }>(
    tx,
    'SELECT id FROM tracking_links WHERE participant_id = $1 AND is_default',
    [owner.participantId],
  );
  if (!link) throw new Error('a participant without a default link');

  const claim = { token: code, kind: 'code' as const, linkId: link.id, now };
  if (!(await tryClaimToken(tx, owner, claim)) && !(await retakeOwnCode(tx, owner, code))) {
    throw new AppError('REFERRAL_CODE_TAKEN');
  }
  await update(tx, Participant, {
    set: { referralCode: code, updatedAt: now },
    where: { id: owner.participantId },
  });
  await update(tx, TrackingLink, { set: { token: code }, where: { id: link.id } });
}

/** The token as it is typed now, when the string already is a code of this very participant. */
async function retakeOwnCode(tx: Tx, owner: TokenOwner, code: string): Promise<boolean> {
  const changed = await execute(
    tx,
    `UPDATE referral_tokens SET token = $5
      WHERE workspace_id = $1 AND mode = $2 AND token_key = $3 AND participant_id = $4
        AND kind = 'code'`,
    [owner.workspaceId, owner.mode, referralTokenKey(code), owner.participantId, code],
  );
  return changed === 1;
}

/** False when the string is taken, by an old link in any case too. Waits for a rival transaction instead of failing this one. */
async function tryClaimToken(
  tx: Tx,
  owner: TokenOwner,
  claim: { token: string; kind: 'code' | 'link'; linkId: string; now: Date },
): Promise<boolean> {
  const { workspaceId, mode, programId, participantId } = owner;
  const { token, kind, linkId, now } = claim;
  const leadsTo = { programId, participantId, linkId };
  const tokenKey = referralTokenKey(token);
  const old = await queryOne(
    tx,
    'SELECT 1 FROM referral_tokens WHERE workspace_id = $1 AND mode = $2 AND imported_key = $3 LIMIT 1',
    [workspaceId, mode, tokenKey],
  );
  if (old) return false;
  const added = await insertAll(tx, {
    into: ReferralToken,
    rows: [{ workspaceId, mode, tokenKey, token, kind, ...leadsTo, createdAt: now }],
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_referral_token DO NOTHING',
  });
  return added === 1;
}

const tokenAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Ten characters that are hard to misread, in one case, because tokens compare without case. */
export function randomToken(): string {
  return Array.from({ length: 10 }, () => tokenAlphabet[randomInt(tokenAlphabet.length)]).join('');
}
