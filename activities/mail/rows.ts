import { mailTypes, type MailType } from '../../entities/rules/mail/mail';
import { selectList } from '../../entities/database/columns';
import { Mail } from '../../entities/tables/mail/mail.entity';
import type { MailParams } from './templates/facts';

export interface MailRow extends Omit<Mail, 'type' | 'params' | 'digestId' | 'finishedAt'> {
  type: MailType;
  params: MailParams & {
    inviteId?: string;
    participantId?: string;
    generation?: number;
    of?: MailType;
  };
}

/** Select list of a MailRow. */
export const mailColumns = selectList(Mail, 'mails', [
  'id',
  'type',
  'side',
  'accountId',
  'recipient',
  'workspaceId',
  'mode',
  'params',
  'status',
  'subject',
  'createdAt',
]);

/** The type whose rules hold for a mail: a digest goes by the type of what it collects. */
export function governingType({ type, params }: Pick<MailRow, 'type' | 'params'>): MailType {
  const { of } = params;
  return type === 'digest' && of && of in mailTypes ? of : type;
}
