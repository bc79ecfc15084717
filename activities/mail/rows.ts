import type { Side } from '../../entities/rules/accounts/accounts';
import { mailTypes, type MailStatus, type MailType } from '../../entities/rules/mail/mail';
import type { Mode } from '../../entities/rules/values/mode';
import type { MailParams } from './templates/facts';

export interface MailRow {
  id: string;
  type: MailType;
  side: Side | null;
  accountId: string | null;
  recipient: string | null;
  workspaceId: string | null;
  mode: Mode | null;
  params: MailParams & { inviteId?: string; generation?: number; of?: MailType };
  status: MailStatus;
  subject: string | null;
  createdAt: Date;
}

export const mailColumns = `id, type, side, account_id AS "accountId", recipient,
  workspace_id AS "workspaceId", mode, params, status, subject, created_at AS "createdAt"`;

/** The type whose rules hold for a mail: a digest goes by the type of what it collects. */
export function governingType({ type, params }: Pick<MailRow, 'type' | 'params'>): MailType {
  const { of } = params;
  return type === 'digest' && of && of in mailTypes ? of : type;
}
