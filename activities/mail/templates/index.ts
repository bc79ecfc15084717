import { mailTypes, type MailType } from '../../../entities/rules/mail/mail';
import { accountTemplates } from './account';
import { notificationTemplate } from './notifications';
import type { Template } from './facts';

/** Types that are written from their own facts; a digest is written from other mails. */
export type TemplateType = Exclude<MailType, 'digest'>;

/** The template of a type of mail. */
export function templateOf(type: TemplateType): Template {
  return isAccountMail(type) ? accountTemplates[type] : notificationTemplate(type);
}

function isAccountMail(type: TemplateType): type is keyof typeof accountTemplates {
  return type in accountTemplates;
}

export const templateTypes = Object.keys(mailTypes).filter(
  (type): type is TemplateType => type !== 'digest',
);
