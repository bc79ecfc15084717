import type { MailType } from '../../entities/rules/mail/mail';
import type { MailContent } from './layout';

export interface TemplateFacts {
  /** Name of the person, when the account is known. */
  name: string | null;
  params: Record<string, string | number | null>;
  /** The link that the mail is about; only types that carry a token have one. */
  link: string | undefined;
}

type Template = (facts: TemplateFacts) => MailContent;

const notYou = 'If you did not ask for this, ignore this mail: nothing has changed.';
const wasItYou = 'If this was not you, reset your password now and look at your sessions.';

/** One template per type of mail. */
export const templates: Record<MailType, Template> = {
  'account.verify_email': ({ name, link }) => ({
    subject: 'Confirm your e-mail address',
    heading: greeting(name),
    paragraphs: ['Please confirm that this address is yours. The link works for 24 hours.'],
    ...button('Confirm address', link),
    footnote: notYou,
  }),
  'account.reset_password': ({ name, link }) => ({
    subject: 'Set a new password',
    heading: greeting(name),
    paragraphs: [
      'Somebody asked for a new password for your account. The link works for one hour, once.',
    ],
    ...button('Set a new password', link),
    footnote: notYou,
  }),
  'member.invited': ({ params, link }) => ({
    subject: `Join ${text(params['workspaceName'])}`,
    heading: `You are invited to ${text(params['workspaceName'])}`,
    paragraphs: [
      `You were invited to the workspace ${text(params['workspaceName'])} as ${text(params['role'])}. The link works for 14 days.`,
    ],
    ...button('Accept the invite', link),
    footnote: 'If you do not know this workspace, ignore this mail.',
  }),
  'partner.invited': ({ params, link }) => ({
    subject: `Become a partner of ${text(params['programName'])}`,
    heading: `You are invited to the programme ${text(params['programName'])}`,
    paragraphs: [
      `${text(params['workspaceName'] ?? params['programName'])} invites you to become a partner. Recommend it, and earn a commission on what your visitors buy. The link works for 14 days.`,
    ],
    ...button('Accept the invite', link),
    footnote: 'If you do not know this programme, ignore this mail.',
  }),
  'participant.approved': ({ name, params }) => ({
    subject: `You are a partner of ${text(params['programName'])}`,
    heading: greeting(name),
    paragraphs: [
      `You are approved as a partner of ${text(params['programName'])}. Your links and codes work from now on.`,
    ],
  }),
  'participant.rejected': ({ name, params }) => ({
    subject: `Your application to ${text(params['programName'])}`,
    heading: greeting(name),
    paragraphs: [
      `Your application to ${text(params['programName'])} was not accepted.`,
      ...reason(params),
    ],
  }),
  'participant.suspended': ({ name, params }) => ({
    subject: `Your partnership with ${text(params['programName'])} is suspended`,
    heading: greeting(name),
    paragraphs: [
      `Your partnership with ${text(params['programName'])} is suspended: new sales earn nothing until it is reinstated.`,
      ...reason(params),
    ],
  }),
  'participant.reinstated': ({ name, params }) => ({
    subject: `Your partnership with ${text(params['programName'])} is reinstated`,
    heading: greeting(name),
    paragraphs: [
      `Your partnership with ${text(params['programName'])} is active again. Your links and codes work from now on.`,
    ],
  }),
  'webhook.dead_letter': ({ name, params }) => ({
    subject: 'A webhook could not be delivered',
    heading: greeting(name),
    paragraphs: [
      `A delivery to ${text(params['url'])} has used up all its attempts. It can be sent again from the list of deliveries.`,
      ...reason(params),
    ],
  }),
  'webhook.disabled': ({ name, params }) => ({
    subject: 'A webhook endpoint was disabled',
    heading: greeting(name),
    paragraphs: [
      `The endpoint ${text(params['url'])} was disabled: nothing is delivered to it until it is activated again.`,
      ...reason(params),
    ],
  }),
  'security.password_changed': ({ name }) => ({
    subject: 'Your password was changed',
    heading: greeting(name),
    paragraphs: ['The password of your account was changed, and other sessions were ended.'],
    footnote: wasItYou,
  }),
  'security.email_changed': ({ name }) => ({
    subject: 'Your e-mail address was changed',
    heading: greeting(name),
    paragraphs: [
      'Your account now uses another e-mail address. This one gets no more mail, and links sent to it no longer work.',
    ],
    footnote: 'If this was not you, tell us at once.',
  }),
  'security.api_key_created': ({ name, params }) => ({
    subject: 'An API key was created',
    heading: greeting(name),
    paragraphs: [`A ${keyWords(params)} was created in your workspace.`],
    footnote: 'If nobody of your team did this, revoke the key and look at the audit log.',
  }),
  'security.api_key_revoked': ({ name, params }) => ({
    subject: 'An API key was revoked',
    heading: greeting(name),
    paragraphs: [`A ${keyWords(params)} was revoked. Whatever used it is refused now.`],
  }),
  'security.member_invited': ({ name, params }) => ({
    subject: 'Somebody was invited to your workspace',
    heading: greeting(name),
    paragraphs: [`${text(params['memberEmail'])} was invited as ${text(params['role'])}.`],
  }),
  'security.member_joined': ({ name, params }) => ({
    subject: 'Somebody joined your workspace',
    heading: greeting(name),
    paragraphs: [`${text(params['memberEmail'])} joined as ${text(params['role'])}.`],
  }),
  'security.member_role_changed': ({ name, params }) => ({
    subject: 'A role in your workspace was changed',
    heading: greeting(name),
    paragraphs: [`${text(params['memberEmail'])} now has the role ${text(params['role'])}.`],
  }),
  'security.member_removed': ({ name, params }) => ({
    subject: 'Somebody was removed from your workspace',
    heading: greeting(name),
    paragraphs: [`${text(params['memberEmail'])} was removed. That account has ended.`],
  }),
};

function greeting(name: string | null): string {
  return name === null ? 'Hello' : `Hello ${name}`;
}

function text(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

function button(label: string, url: string | undefined): Pick<MailContent, 'action'> {
  return url === undefined ? {} : { action: { label, url } };
}

function reason(params: TemplateFacts['params']): string[] {
  return params['reason'] ? [`Reason: ${text(params['reason'])}`] : [];
}

function keyWords(params: TemplateFacts['params']): string {
  const name = params['name'] ? ` "${text(params['name'])}"` : '';
  return `${text(params['kind'])} key${name} for ${text(params['mode'])} mode, ${text(params['prefix'])}...,`;
}
