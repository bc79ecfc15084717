import { erasedEmail, erasedText } from '../../entities/rules/erasure/erasure';
import { identifyingTexts, scrub } from '../../entities/rules/erasure/identity';
import { inviteMoves } from '../../entities/rules/partners/invite';
import type { Mode } from '../../entities/rules/values/mode';
import { movingSql } from '../../entities/database/moving';
import { execute, query, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { insertReceipt } from './receipts';
import { byMode, noteErasedRecords } from './records';
import { openBox } from './scans/place';

export interface EraseInvites {
  email: string;
  partnerId: string;
}

interface InviteStores {
  db: Db;
  vault: Pick<Vault, 'encrypt' | 'decrypt'>;
}

/**
 * Erases what a merchant's invites of both modes hold of a partner: those to the address, and those
 * that the partner accepted. Open ones are dead; who joined stays. Nothing that matches is fine.
 */
export async function erasePartnerInvites(
  { db, vault }: InviteStores,
  context: CommandContext,
  { email, partnerId }: EraseInvites,
): Promise<void> {
  const { scope } = context;
  await transaction(db, async (tx) => {
    const found = await query<FoundInvite>(
      tx,
      `SELECT ${foundColumns} FROM partner_invites
        WHERE workspace_id = $1 AND (email = $2 OR accepted_by = $3) AND status <> 'erased'
        ORDER BY id FOR UPDATE`,
      [scope.workspaceId, email, partnerId],
    );
    if (found.length === 0) return;
    await eraseFound({ db: tx, vault }, context, found);
    const target = { type: 'partner_account', id: partnerId };
    await record(tx, context, { audit: { action: 'partner_invites.erased', target } });
  });
}

/** Erases an invite of a restored backup once more; false when it is not there, or not back. */
export async function eraseInviteAgain(
  { db, vault }: InviteStores,
  context: Pick<CommandContext, 'now'>,
  inviteId: string,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const found = await query<FoundInvite>(
      tx,
      `SELECT ${foundColumns} FROM partner_invites
        WHERE id = $1 AND status <> 'erased' FOR UPDATE`,
      [inviteId],
    );
    if (found.length > 0) await eraseFound({ db: tx, vault }, context, found);
    return found.length > 0;
  });
}

interface FoundInvite {
  id: string;
  workspaceId: string;
  mode: Mode;
  email: string;
  name: string | null;
}

const foundColumns = 'id, workspace_id AS "workspaceId", mode, email, name';

async function eraseFound(
  { db: tx, vault }: InviteStores & { db: Tx },
  { now }: Pick<CommandContext, 'now'>,
  found: readonly FoundInvite[],
): Promise<void> {
  await noteErasedRecords(tx, { kind: 'invite', ids: found.map(({ id }) => id), erasedAt: now });
  for (const [mode, invites] of byMode(found)) {
    const place = { workspaceId: (invites[0] as FoundInvite).workspaceId, mode };
    const changes = {
      partner_invites: await eraseRows(tx, invites),
      mails: await eraseMails(tx, place, invites),
      idempotency_keys: await scrubAnswers({ db: tx, vault }, place, invites),
    };
    await insertReceipt(tx, {
      erasureId: null,
      kind: 'invites',
      place: { ...place, programId: null, participantId: null },
      changes: Object.fromEntries(Object.entries(changes).filter(([, rows]) => rows > 0)),
      erasedAt: now,
      completedAt: now,
    });
  }
}

const erasing = movingSql(inviteMoves, { trigger: 'erase', to: 'erased', of: 'i' });

function eraseRows(tx: Tx, invites: readonly FoundInvite[]): Promise<number> {
  return execute(
    tx,
    `UPDATE partner_invites AS i SET ${erasing.set}, email = $2, name = NULL
      WHERE i.id = ANY($1) AND ${erasing.where}`,
    [invites.map(({ id }) => id), erasedEmail],
  );
}

interface Place {
  workspaceId: string;
  mode: Mode;
}

function eraseMails(
  tx: Tx,
  { workspaceId, mode }: Place,
  invites: readonly FoundInvite[],
): Promise<number> {
  return execute(
    tx,
    `UPDATE mails SET recipient = $4, params = '{}',
            subject = CASE WHEN subject IS NULL THEN NULL ELSE $5 END,
            status = CASE status WHEN 'queued' THEN 'dropped' ELSE status END
      WHERE workspace_id = $1 AND mode = $2 AND type = 'partner.invited'
        AND params->>'inviteId' = ANY($3)`,
    [workspaceId, mode, invites.map(({ id }) => id), erasedEmail, erasedText],
  );
}

interface StoredAnswer {
  principalId: string;
  path: string;
  key: string;
  answer: string;
}

/** A retry of an invite's request still finds its answer, without the person. */
async function scrubAnswers(
  { db: tx, vault }: InviteStores & { db: Tx },
  { workspaceId, mode }: Place,
  invites: readonly FoundInvite[],
): Promise<number> {
  const stored = await query<StoredAnswer>(
    tx,
    `SELECT principal_id AS "principalId", path, key, answer FROM idempotency_keys
      WHERE workspace_id = $1 AND mode = $2 AND answer IS NOT NULL AND path LIKE '%/invites%'
      ORDER BY principal_id, path, key FOR UPDATE`,
    [workspaceId, mode],
  );
  let rows = 0;
  for (const { principalId, path, key, answer } of stored) {
    const place = [principalId, mode, path, key] as const;
    const text = openBox(vault, answer, ['idempotency_keys.answer', ...place]);
    const clean = text === undefined ? undefined : withoutInvited(text, invites);
    if (clean === undefined || clean === text) continue;
    const sealed = vault.encrypt(clean, ['idempotency_keys.answer', ...place]);
    rows += await execute(
      tx,
      `UPDATE idempotency_keys SET answer = $5
        WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4`,
      [...place, sealed],
    );
  }
  return rows;
}

function withoutInvited(text: string, invites: readonly FoundInvite[]): string {
  const emails = invites.map(({ email }) => email);
  const names = invites.flatMap(({ name }) => name ?? []);
  const identifying = identifyingTexts({ names, emails, codes: [] });
  return JSON.stringify(scrub(JSON.parse(text), { participantId: '', identifying }));
}
