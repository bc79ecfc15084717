import type { MailType } from '../../../entities/rules/mail/mail';
import { money } from '../../../entities/rules/notifications/text';
import { button, utc, type MailParams, type Template } from './facts';

export type AccountMailType = Extract<
  MailType,
  `account.${string}` | 'participant.erased' | `${string}.invited` | 'partner.added'
>;

const notYou = 'If you did not ask for this, ignore this mail: nothing has changed.';
const whyAccount = 'You get this mail because of an account with this address.';
const whyInvite = 'You get this mail because somebody invited this address.';

/** Mails that no preference governs: the ways into an account, invites, and its end. */
export const accountTemplates: Record<AccountMailType, Template> = {
  'account.verify_email': ({ side, params: { name, askedAt, unpaid }, link, refusal }) => ({
    subject: 'Confirm your e-mail address',
    heading: 'Confirm your e-mail address',
    paragraphs: [
      'Somebody gave this address for an account. If that was you, please confirm that it is yours. If it was not, do not confirm it: say that it was not you, and the account ends. Both links work for 24 hours.',
      ...(unpaid
        ? [
            'A merchant made you a partner under this address. What you earn there is paid once the address is confirmed.',
          ]
        : []),
    ],
    rows: [
      { label: 'Account', value: side === 'merchant' ? 'of a merchant' : 'of a partner' },
      ...(name ? [{ label: 'Name', value: name }] : []),
      ...(askedAt ? [{ label: 'Asked for', value: utc(new Date(askedAt)) }] : []),
    ],
    ...button('Confirm address', link),
    ...(refusal === undefined ? {} : { second: { label: 'This was not me', url: refusal } }),
    why: 'You get this mail because somebody gave this address for an account.',
  }),
  'account.reset_password': ({ link }) => ({
    subject: 'Set a new password',
    heading: 'Set a new password',
    paragraphs: [
      'Somebody asked for a new password for your account. The link works for one hour, once.',
    ],
    ...button('Set a new password', link),
    footnote: notYou,
    why: whyAccount,
  }),
  'account.erased': () => ({
    subject: 'Your account is being erased',
    heading: 'Your account is being erased',
    paragraphs: [
      'As you asked, your account and the personal data in it are being erased, in every programme. All sessions have ended, and your links and codes earn nothing from now on.',
      'What remains are records of commissions and payouts without your name. This is the last mail of this account; the address may register again at any time.',
    ],
    footnote: 'If you did not ask for this, answer this mail at once.',
    why: whyAccount,
  }),
  'participant.erased': ({ params }) => ({
    subject: `Your data in ${params.programName ?? 'a programme'} is being erased`,
    heading: `Your data in ${params.programName ?? 'a programme'} is being erased`,
    paragraphs: [
      `The programme ${params.programName ?? ''} is erasing the personal data of your participation. Your links and codes there earn nothing from now on.`,
      ...openParagraphs(params),
      'What remains are records of commissions and payouts without your name. Your account and your other programmes stay as they are.',
    ],
    why: 'You get this mail because this address took part in the programme.',
  }),
  'member.invited': ({ params, link }) => ({
    subject: `Join ${params.workspaceName ?? 'a workspace'}`,
    heading: `You are invited to ${params.workspaceName ?? 'a workspace'}`,
    paragraphs: [
      `You were invited to the workspace ${params.workspaceName ?? ''} as ${params.role ?? 'member'}. The link works for 14 days.`,
    ],
    ...button('Accept the invite', link),
    footnote: 'If you do not know this workspace, ignore this mail.',
    why: whyInvite,
  }),
  'partner.invited': ({ params, link }) => ({
    subject: `Become a partner of ${params.programName ?? 'a programme'}`,
    heading: `You are invited to the programme ${params.programName ?? ''}`,
    paragraphs: [
      `${params.workspaceName ?? params.programName ?? 'A merchant'} invites you to become a partner. Recommend it, and earn a commission on what your visitors buy. The link works for 14 days.`,
    ],
    ...button('Accept the invite', link),
    footnote: 'If you do not know this programme, ignore this mail.',
    why: whyInvite,
  }),
  'partner.added': ({ params, link }) => ({
    subject: `You are a partner of ${params.programName ?? 'a programme'}`,
    heading: `You are a partner of ${params.programName ?? 'a programme'}`,
    paragraphs: [
      `${params.workspaceName ?? params.programName ?? 'A merchant'} made you a partner: recommend it, and earn a commission on what your visitors buy. Your links and codes work already.`,
      ...(params.message ? [params.message] : []),
      'Choose a password to see what you earn and to say how you are paid. The link works for 14 days. If you have an account with this address, sign in as always.',
    ],
    ...button('Open my account', link),
    footnote: 'If you do not know this programme, ignore this mail.',
    why: 'You get this mail because somebody gave this address as that of a partner.',
  }),
};

/** What the erasure leaves to be paid, so that nobody has to look for it. */
function openParagraphs({ open = [] }: MailParams): string[] {
  if (open.length === 0) return [];
  const sums = open.flatMap(({ currency, pendingCents, approvedCents }) => [
    ...(approvedCents === 0 ? [] : [`${money({ amountCents: approvedCents, currency })} approved`]),
    ...(pendingCents === 0 ? [] : [`${money({ amountCents: pendingCents, currency })} pending`]),
  ]);
  return [
    `Not paid yet: ${sums.join(', ')}. What is approved stays payable to your account, and you still see it among your balances.`,
  ];
}
