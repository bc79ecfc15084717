import type { Side } from '../../../entities/rules/accounts/accounts';
import type { Amount } from '../../../entities/rules/notifications/facts';
import { money, notificationText } from '../../../entities/rules/notifications/text';
import { seenBy } from '../../../entities/rules/notifications/words';
import { reviewWords } from '../../../entities/rules/notifications/words';
import type {
  MerchantNotificationType,
  PartnerNotificationType,
} from '../../../entities/rules/notifications/types';
import { button, type MailParams, type Template, utc } from './facts';
import type { MailContent } from './layout';

type Row = { label: string; value: string };
type Fact =
  | 'program'
  | 'partner'
  | 'commission'
  | 'sale'
  | 'transaction'
  | 'link'
  | 'review'
  | 'paid'
  | 'partners'
  | 'rules'
  | 'reason'
  | 'key'
  | 'member';

/** What a mail adds to the words that the feed shows as well. */
interface Layout {
  rows: readonly Fact[];
  /** What to do about it. */
  next?: string;
  footnote?: string;
}

const notYourTeam = 'If this was none of your team, look at the audit log.';

const security = {
  'security.password_changed': { rows: [] },
  'security.email_changed': {
    rows: [],
    next: 'This address gets no more mail of the account, and links sent to it no longer work.',
    footnote: 'Whoever answers this mail reaches the operator of this service.',
  },
  'security.two_factor_enabled': { rows: [] },
  'security.two_factor_disabled': { rows: [] },
  'security.two_factor_reset': { rows: [] },
  'security.recovery_codes_renewed': { rows: [] },
  'security.recovery_code_used': { rows: [] },
} as const;

const merchant: Record<MerchantNotificationType, Layout> = {
  ...security,
  'conversion.created': { rows: ['program', 'partner', 'sale', 'transaction'] },
  'conversion.fraud_detected': {
    rows: ['program', 'partner', 'sale', 'transaction', 'rules'],
    next: 'Look at the conversion, and decide on its commission.',
  },
  'commission.needs_review': {
    rows: ['program', 'partner', 'commission', 'transaction', 'review'],
    next: 'It is neither approved nor paid until a member decides.',
  },
  'commission.refunded': { rows: ['program', 'partner', 'commission', 'transaction'] },
  'participant.applied': {
    rows: ['program', 'partner'],
    next: 'Approve or reject the application in the list of partners.',
  },
  'participant.joined': { rows: ['program', 'partner'] },
  'payout.completed': { rows: ['program', 'partners', 'paid'] },
  'payout.attention': {
    rows: ['program', 'paid'],
    next: "Look at the provider's own list of payments, then say on the payout what became of it.",
  },
  'payout.not_received': {
    rows: ['program', 'partner', 'paid'],
    next: 'Look at what your bank or processor says. If the payment came back, mark the item as returned: the next payout takes it.',
  },
  'webhook.dead_letter': {
    rows: ['reason'],
    next: 'It can be sent again from the list of deliveries. Later ones that fail send no mail until one arrives.',
  },
  'webhook.disabled': {
    rows: [],
    next: 'Activate the endpoint again when it answers, and send what it missed from the list of deliveries.',
  },
  'biller.events_failing': {
    rows: [],
    next: 'Events that failed are kept and can be processed again.',
  },
  'stripe.events_failing': {
    rows: [],
    next: 'Events that failed are kept and can be processed again.',
  },
  'security.api_key_created': { rows: ['key'], footnote: notYourTeam },
  'security.api_key_revoked': { rows: ['key'], footnote: notYourTeam },
  'security.payout_provider_connected': { rows: [], footnote: notYourTeam },
  'security.payout_provider_disconnected': { rows: [], footnote: notYourTeam },
  'security.payout_limits_changed': { rows: [], footnote: notYourTeam },
  'security.member_invited': { rows: ['member'], footnote: notYourTeam },
  'security.member_joined': { rows: ['member'], footnote: notYourTeam },
  'security.member_role_changed': { rows: ['member'], footnote: notYourTeam },
  'security.member_removed': { rows: ['member'], footnote: notYourTeam },
  'security.workspace_closing': { rows: [], footnote: notYourTeam },
  'security.workspace_reopened': { rows: [], footnote: notYourTeam },
};

const partner: Record<Exclude<PartnerNotificationType, 'commission.paid'>, Layout> = {
  ...security,
  'security.payout_method_changed': { rows: [] },
  'participant.approved': {
    rows: ['program', 'link'],
    next: 'Share your link, or make others, and earn on what your visitors buy.',
  },
  'participant.rejected': { rows: ['program'] },
  'participant.suspended': { rows: ['program'], next: 'What you have earned so far is not lost.' },
  'participant.reinstated': { rows: ['program'] },
  'participant.moved': { rows: ['program'] },
  'program.terms_changed': { rows: ['program'] },
  'program.closing': { rows: ['program'] },
  'customer.lost': {
    rows: ['program'],
    next: 'If you think that this is a mistake, ask the programme.',
  },
  'commission.created': { rows: ['program', 'commission'] },
  'commission.approved': { rows: ['program', 'commission'] },
  'commission.rejected': { rows: ['program', 'commission'] },
  'commission.refunded': { rows: ['program', 'commission'] },
  'payout.created': { rows: ['program', 'paid'] },
  'payout.completed': { rows: ['program', 'paid'] },
  'payout.cancelled': { rows: ['program', 'paid'] },
  'payout.unclaimed': { rows: ['program', 'paid'] },
};

const layouts: Record<Side, Partial<Record<string, Layout>>> = { merchant, partner };

/** The mail of a notification: the words of the feed, its facts at a glance, and what to do. */
export function notificationTemplate(
  type: MerchantNotificationType | PartnerNotificationType,
): Template {
  return ({ side, params, record }): MailContent => {
    const layout = layouts[side][type];
    if (!layout) throw new Error(`${type} is no mail for a ${side}`);
    const { title, body } = notificationText(side, type, params);
    return {
      subject: title,
      heading: title,
      paragraphs: [body, ...(layout.next ? [layout.next] : [])],
      rows: [
        ...layout.rows.flatMap((fact) => facts[fact](params)),
        ...row('Time', record && utc(record.at)),
      ],
      ...button(labels[side], isToFormerAddress(type) ? undefined : record?.url),
      ...(layout.footnote ? { footnote: layout.footnote } : {}),
      why: why(side, type),
    };
  };
}

const labels: Record<Side, string> = {
  merchant: 'Open in the dashboard',
  partner: 'Open in the portal',
};

/** Whether the mail goes to an address with which its reader may not sign in any more. */
function isToFormerAddress(type: string): boolean {
  return type === 'security.email_changed';
}

function why(side: Side, type: string): string {
  if (type.startsWith('security.')) {
    return 'You get this mail because it concerns the security of your account; it cannot be switched off.';
  }
  return side === 'merchant'
    ? 'You get this mail as a member of the workspace.'
    : 'You get this mail as a partner of the programme.';
}

const facts: Record<Fact, (params: MailParams) => Row[]> = {
  program: ({ programName }) => row('Programme', programName),
  partner: ({ partnerName }) => row('Partner', partnerName),
  commission: ({ amount }) => row('Commission', amount && money(amount)),
  sale: ({ amount }) => row('Sale', amount && money(amount)),
  paid: ({ amounts }) => row('Amount', amounts && sum(amounts)),
  partners: ({ partners }) => row('Partners', partners?.toString()),
  rules: ({ rules }) => row('What was seen', rules && seenBy(rules)),
  transaction: ({ transactionId }) => row('Transaction', transactionId),
  link: ({ referralUrl }) => row('Your link', referralUrl),
  review: ({ review }) => row('Why', review && reviewWords[review]),
  reason: ({ reason }) => row('Reason', reason),
  key: ({ name, kind, mode, prefix }) => [
    ...row('Key', prefix && `${prefix}...`),
    ...row('Kind', kind && mode && `${kind}, ${mode} mode`),
    ...row('Name', name),
  ],
  member: ({ memberEmail, role }) => [...row('Member', memberEmail), ...row('Role', role)],
};

function row(label: string, value: string | null | undefined): Row[] {
  return value ? [{ label, value }] : [];
}

function sum(amounts: Amount[]): string {
  return amounts.map(money).join(' and ');
}
