import { AppError } from '../../entities/errors';
import { boundedTransaction, queryOne } from '../../entities/database/sql';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import type { Mail } from '../../entities/tables/mail/mail.entity';
import { runCommand, operatorCause } from '../journal/operator';
import type { Deps } from '../../runtime/process/deps';
import { finish } from './plan';

const actions = { retry_now: 'mail.retried_now', give_up: 'mail.given_up' } as const;

export interface MailCommand {
  mailId: string;
  order: keyof typeof actions;
  note: OperatorNote;
}

/**
 * What an operator commands for a mail that waits, with its line in the audit log. NOT_FOUND when there is
 * none, or it is over.
 */
export async function orderMail(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { mailId, order, note }: MailCommand,
): Promise<void> {
  await boundedTransaction(db, async (tx) => {
    const mail = await queryOne<Pick<Mail, 'workspaceId' | 'status'>>(
      tx,
      `SELECT workspace_id AS "workspaceId", status FROM mails WHERE id = $1 FOR NO KEY UPDATE`,
      [mailId],
    );
    if (!mail) throw new AppError('NOT_FOUND');
    const context = operatorCause(note, clock.now());
    const { status, workspaceId } = mail;
    const target = { type: 'mail', id: mailId };
    const line = { action: actions[order], target, workspaceId };
    const effect = async (): Promise<void> => {
      if (status !== 'queued') throw new AppError('NOT_FOUND');
      if (order === 'give_up') await finish(tx, { mailId, status: 'failed' }, context.now);
    };
    await runCommand(tx, context, { command: line, effect, otherwise: undefined });
  });
}
