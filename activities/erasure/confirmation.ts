import { Participant } from '../../entities/tables/partners/participant.entity';
import { Program } from '../../entities/tables/programs/program.entity';
import { findById } from '../../entities/database/find';
import { PartnerAccount } from '../../entities/tables/accounts/partner-account.entity';
import { SealedRecipient } from '../../entities/tables/erasure/sealed-recipient.entity';
import { Mail } from '../../entities/tables/mail/mail.entity';
import { insertAll } from '../../entities/database/insert-all';
import { newId } from '../../entities/ids';
import type { Mode } from '../../entities/rules/values/mode';
import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { OpenSum } from '../../entities/tables/erasure/erasure-receipt.entity';
import { Erasure } from '../../entities/tables/erasure/erasure.entity';
import type { Cause } from '../journal/cause';
import { enqueue } from '../journal/outbox';
import type { Deps } from '../../runtime/process/deps';
import { openSumsOf } from './open-sums';
import { lockErasure } from './subject';
import { update } from '../../entities/database/update';

interface Confirmation {
  email: string;
  workspaceId: string | null;
  mode: Mode | null;
  params: { programId?: string; programName?: string; open?: OpenSum[] };
}

/**
 * Writes the confirmation while there is an address to send it to. It leaves with the step of no
 * return only; until it is sent the address is kept beside it, encrypted.
 */
export async function prepareConfirmation(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  { now }: Pick<Cause, 'now'>,
  erasureId: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const erasure = await lockErasure(tx, erasureId);
    if (erasure.status !== 'locked' || erasure.mailId !== null) return;

    const mail = await confirmationOf(tx, erasure);
    if (!mail) return;
    const mailId = newId();
    const { email, ...shown } = mail;
    const type = `${erasure.kind}.erased` as const;
    const row = { id: mailId, type, side: 'partner', ...shown, createdAt: now } as const;
    await insertAll(tx, { into: Mail, rows: [row] });
    const sealed = vault.encrypt(email, ['sealed_recipients.sealed', mailId]);
    await insertAll(tx, { into: SealedRecipient, rows: [{ mailId, sealed }] });
    await update(tx, Erasure, { set: { mailId }, where: { id: erasureId } });
  });
}

async function confirmationOf(
  tx: Tx,
  { kind, subjectId }: Erasure,
): Promise<Confirmation | undefined> {
  if (kind === 'account') {
    const account = await findById(tx, PartnerAccount, subjectId);
    return account && { email: account.email, workspaceId: null, mode: null, params: {} };
  }
  const participant = await findById(tx, Participant, subjectId);
  const program = participant && (await findById(tx, Program, participant.programId));
  if (!program) return undefined;
  const { partnerEmail: email, workspaceId, mode } = participant;
  const of = { programId: program.id, programName: program.name };
  return { email, workspaceId, mode, params: { ...of, open: await openSumsOf(tx, subjectId) } };
}

/** Hands the confirmation to the relay, in the transaction of no return. */
export async function releaseConfirmation(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  { mailId }: Erasure,
): Promise<void> {
  if (mailId === null) return;
  const mail = await findById(tx, Mail, mailId);
  if (!mail) return;
  const payload = { type: mail.type, ...(mail.mode === null ? {} : { mode: mail.mode }) };
  const { workspaceId } = mail;
  await enqueue(tx, { topic: 'mail', ref: mailId, workspaceId, payload, availableAt: now });
}

/** True once the confirmation was sent or given up: nothing keeps its address any more. */
export async function isConfirmationOver(db: Db, erasureId: string): Promise<boolean> {
  const waiting = await queryOne(
    db,
    `SELECT 1 FROM erasures AS e JOIN mails AS m ON m.id = e.mail_id
      WHERE e.id = $1 AND m.status = 'queued'`,
    [erasureId],
  );
  return waiting === undefined;
}

/** Gives the confirmation up, if it still waits, and forgets its address. */
export async function forgetRecipient(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  erasureId: string,
): Promise<void> {
  await execute(
    db,
    `UPDATE mails SET status = 'failed', finished_at = $2
      WHERE status = 'queued' AND id = (SELECT mail_id FROM erasures WHERE id = $1)`,
    [erasureId, now],
  );
  await execute(
    db,
    `DELETE FROM sealed_recipients
      WHERE mail_id = (SELECT mail_id FROM erasures WHERE id = $1)`,
    [erasureId],
  );
}
