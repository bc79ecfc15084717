import { erasedEmail, erasedText } from '../../entities/rules/erasure/erasure';
import { identifyingTexts, scrub } from '../../entities/rules/erasure/identity';
import { inviteMoves } from '../../entities/rules/partners/invite';
import type { Scope } from '../../entities/rules/values/mode';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import { selectList } from '../../entities/database/columns';
import { movingSql } from '../../entities/database/moving';
import { execute, query, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { insertReceipt } from './receipts';
import { noteErasedRecords } from './records';
import { scrubStoredAnswers } from './stored-answers';

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

const foundFields = ['id', 'workspaceId', 'mode', 'email', 'name'] as const;
type FoundInvite = Pick<PartnerInvite, (typeof foundFields)[number]>;
const foundColumns = selectList(PartnerInvite, 'partner_invites', foundFields);

async function eraseFound(
  { db: tx, vault }: InviteStores & { db: Tx },
  { now }: Pick<CommandContext, 'now'>,
  found: readonly FoundInvite[],
): Promise<void> {
  await noteErasedRecords(tx, { kind: 'invite', ids: found.map(({ id }) => id), erasedAt: now });
  // Receipts are of one mode each.
  for (const mode of ['live', 'test'] as const) {
    const invites = found.filter((invite) => invite.mode === mode);
    const [first] = invites;
    if (!first) continue;
    const place = { workspaceId: first.workspaceId, mode };
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

function eraseMails(
  tx: Tx,
  { workspaceId, mode }: Scope,
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

/** A retry of an invite's request still finds its answer, without the person. */
function scrubAnswers(
  stores: InviteStores & { db: Tx },
  place: Scope,
  invites: readonly FoundInvite[],
): Promise<number> {
  const emails = invites.map(({ email }) => email);
  const names = invites.flatMap(({ name }) => name ?? []);
  const identifying = identifyingTexts({ names, emails, codes: [] });
  return scrubStoredAnswers(stores, {
    ...place,
    where: `k.path LIKE '%/invites%'`,
    clean: (answer) => scrub(answer, { participantId: '', identifying }),
  });
}
