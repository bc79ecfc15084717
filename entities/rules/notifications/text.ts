import { closingText } from './closing';
import { eventsWait } from './events-wait';
import { attentionOf, limitsOf } from './payout-attentions';
import type { Side } from '../accounts/accounts';
import { money } from '../values/money-words';
import { isolated, withoutSteering } from '../values/name';
import type { NotificationFacts } from './facts';
import { reviewWords, seenBy } from './words';
import type { MerchantNotificationType, PartnerNotificationType } from './types';

export { money } from '../values/money-words';

export interface NotificationText {
  title: string;
  body: string;
}

type Texts<T extends string> = Record<T, (facts: NotificationFacts) => NotificationText>;

const security = {
  'security.password_changed': () => ({
    title: 'Your password was changed',
    body: 'Other sessions of your account were ended. If this was not you, reset your password now.',
  }),
  'security.email_changed': () => ({
    title: 'Your e-mail address was changed',
    body: 'Mails go to the new address from now on. If this was not you, ask the operator of this service for help at once.',
  }),
  'security.two_factor_enabled': () => ({
    title: 'A second factor was set up',
    body: 'Signing in takes a code of your app from now on. If this was not you, reset your password now.',
  }),
  'security.two_factor_disabled': () => ({
    title: 'Your second factor was switched off',
    body: 'Your password alone is enough to sign in. If this was not you, reset your password now.',
  }),
  'security.two_factor_reset': () => ({
    title: 'Your second factor was taken off',
    body: 'An operator of the service did it, and your sessions have ended. If you did not ask for it, reset your password now.',
  }),
  'security.recovery_codes_renewed': () => ({
    title: 'You have new recovery codes',
    body: 'Those before them no longer work. If this was not you, reset your password now.',
  }),
  'security.recovery_code_used': () => ({
    title: 'A recovery code was used',
    body: 'It stood in for a code of your app and does not work again. If this was not you, reset your password and make new codes now.',
  }),
} satisfies Texts<
  Extract<PartnerNotificationType & MerchantNotificationType, `security.${string}`>
>;

const merchantTexts: Texts<MerchantNotificationType> = {
  ...security,
  'conversion.created': (facts) => ({
    title: facts.amount ? `New conversion of ${money(facts.amount)}` : 'New conversion',
    body: facts.partnerName
      ? `${facts.partnerName} brought it to ${programOf(facts)}.`
      : 'It was not attributed to a partner.',
  }),
  'commission.needs_review': (facts) => ({
    title: 'A commission needs your review',
    body: `${amountOf(facts)} for ${partnerOf(facts)} in ${programOf(facts)}.${reviewOf(facts)}`,
  }),
  'commission.refunded': (facts) => ({
    title: 'A commission was reduced by a refund',
    body: `${amountOf(facts)} remain for ${partnerOf(facts)} in ${programOf(facts)}.`,
  }),
  'participant.applied': (facts) => ({
    title: `${partnerOf(facts)} applied`,
    body: `The application is for ${programOf(facts)}.`,
  }),
  'participant.joined': (facts) => ({
    title: `${partnerOf(facts)} joined`,
    body: `Your invite to ${programOf(facts)} was accepted.`,
  }),
  'conversion.fraud_detected': (facts) => ({
    title: 'A conversion looks like fraud',
    body: `${conversionOf(facts)}.${rulesOf(facts)}`,
  }),
  'webhook.dead_letter': (facts) => ({
    title: 'A webhook could not be delivered',
    body: `A delivery to ${facts.url ?? 'an endpoint'} has used up all its attempts.`,
  }),
  'webhook.disabled': (facts) => ({
    title: 'A webhook endpoint was disabled',
    body: `Nothing is delivered to ${facts.url ?? 'it'} until it is activated again.${because(facts)}`,
  }),
  'stripe.events_failing': (facts) =>
    facts.waiting ? eventsWait(facts.waiting) : eventsFail(facts),
  'biller.events_failing': (facts) =>
    facts.waiting ? eventsWait(facts.waiting, facts.biller) : eventsFail(facts),
  'payout.completed': (facts) => ({
    title: 'A payout is completed',
    body: `${amountsOf(facts)} to ${partnersOf(facts)} of ${programOf(facts)}.`,
  }),
  'payout.attention': (facts) => ({
    title: 'A payout needs a look',
    body: `${amountsOf(facts)} of ${programOf(facts)}: ${attentionOf(facts)}`,
  }),
  'payout.not_received': (facts) => ({
    title: `${partnerOf(facts)} has not received a payout`,
    body: `${amountsOf(facts)} of ${programOf(facts)} count as paid, and the partner misses them.${
      facts.reason ? ` They write: ${facts.reason}` : ''
    }`,
  }),
  'security.api_key_created': (facts) => ({
    title: 'An API key was created',
    body: `${keyOf(facts)}. If it was none of your team, revoke it.`,
  }),
  'security.api_key_revoked': (facts) => ({
    title: 'An API key was revoked',
    body: `${keyOf(facts)}. Whatever used it is refused now.`,
  }),
  'security.payout_provider_connected': (facts) => ({
    title: `${facts.name ?? 'A provider'} was connected`,
    body: `Payouts in ${facts.mode ?? 'live'} mode can be sent by it, up to the daily limits. If it was none of your team, disconnect it.`,
  }),
  'security.payout_provider_disconnected': (facts) => ({
    title: `${facts.name ?? 'A provider'} was disconnected`,
    body: `No payout in ${facts.mode ?? 'live'} mode is sent by it any more, and what comes back of earlier ones is not seen.`,
  }),
  'security.payout_limits_changed': (facts) => ({
    title: 'Who sends payouts, and how much, was changed',
    body: `${limitsOf(amountsOf(facts))} ${facts.kind === 'two' ? 'Who made a payout may not send it.' : 'Any admin may send a payout.'} If it was none of your team, look at the members and their sessions.`,
  }),
  'security.member_invited': (facts) => ({
    title: 'A new member was invited',
    body: `${memberOf(facts)} was invited as ${roleOf(facts)}.`,
  }),
  'security.member_joined': (facts) => ({
    title: 'A member joined',
    body: `${memberOf(facts)} joined as ${roleOf(facts)}.`,
  }),
  'security.member_role_changed': (facts) => ({
    title: "A member's role was changed",
    body: `${memberOf(facts)} is now ${roleOf(facts)}.`,
  }),
  'security.member_removed': (facts) => ({
    title: 'A member was removed',
    body: `${memberOf(facts)} has no access any more.${keysLeft(facts)}`,
  }),
  'security.workspace_closing': (facts) => ({
    title: `${workspaceOf(facts)} will be closed`,
    body: `On ${dayOf(facts)} its data is deleted and nobody can sign in any more. Until then an owner can take it back in the settings, and everything goes on.`,
  }),
  'security.workspace_reopened': (facts) => ({
    title: `${workspaceOf(facts)} will not be closed`,
    body: 'An owner has taken it back. Nothing was deleted.',
  }),
};

const partnerTexts: Texts<PartnerNotificationType> = {
  ...security,
  'security.payout_method_changed': ({ isFirst }) => ({
    title: `Your payout method was ${isFirst ? 'set' : 'changed'}`,
    body: isFirst
      ? 'Payouts made from now on go there. If it was not you who set it, change it and your password.'
      : 'Payouts made from now on go there. If this was not you, change your password and your payout method now.',
  }),
  'participant.approved': (facts) => ({
    title: `You are a partner of ${programOf(facts)}`,
    body: 'Your links and codes work from now on.',
  }),
  'participant.rejected': (facts) => ({
    title: `Your application to ${programOf(facts)} was not accepted`,
    body: reasonOr(facts, 'You will not earn commissions in this programme.'),
  }),
  'participant.suspended': (facts) => ({
    title: `Your partnership with ${programOf(facts)} is suspended`,
    body: reasonOr(facts, 'New sales earn nothing until it is reinstated.'),
  }),
  'participant.reinstated': (facts) => ({
    title: `Your partnership with ${programOf(facts)} is reinstated`,
    body: 'Your links and codes work again.',
  }),
  'participant.moved': (facts) => ({
    title: `You are in the group ${facts.name ?? 'Default'} of ${programOf(facts)} now`,
    body: [
      facts.since
        ? `Sales that arrive from ${momentOf(facts.since)} on earn by its terms:`
        : 'Its terms:',
      ...(facts.terms ?? []).map((line) => `${line}.`),
      'What you have earned so far stays as it is.',
    ].join(' '),
  }),
  'program.terms_changed': (facts) => (facts.terms ? changedTerms(facts) : raisedMinimum(facts)),
  'program.closing': (facts) =>
    closingText(facts, { program: programOf(facts), day: dayOf(facts) }),
  'customer.lost': (facts) => ({
    title: `A customer in ${programOf(facts)} is not yours any more`,
    body: 'A member of the programme decided whose the customer is. What they paid until now stays yours, and what they pay from now on is not credited to you.',
  }),
  'commission.created': (facts) => ({
    title: `You earned ${facts.bonus ? 'a bonus of ' : ''}${amountOf(facts)}`,
    body: `${
      facts.bonus
        ? `You have reached a bonus of ${programOf(facts)}.`
        : `A sale in ${programOf(facts)} was attributed to you.`
    } ${facts.atOnce ? 'The commission is approved.' : 'The commission waits for approval.'}`,
  }),
  'commission.approved': (facts) =>
    facts.adjusted
      ? {
          title: `Your balance was adjusted by ${amountOf(facts)}`,
          body: `${programOf(facts)} did so by hand; the reason stands with your earnings.`,
        }
      : facts.atOnce
        ? {
            title: `You earned ${facts.bonus ? 'a bonus of ' : ''}${amountOf(facts)}, and it is approved`,
            body: `${facts.bonus ? 'You have reached it.' : 'A sale was attributed to you.'} It is part of the next payout of ${programOf(facts)}.`,
          }
        : {
            title: `Your commission of ${amountOf(facts)} is approved`,
            body: `It is part of the next payout of ${programOf(facts)}.`,
          },
  'commission.rejected': (facts) => ({
    title: facts.adjusted
      ? `An adjustment of your balance by ${amountOf(facts)} was taken back`
      : `Your commission of ${amountOf(facts)} was rejected`,
    body: reasonOr(
      facts,
      `It was ${facts.adjusted ? 'made' : facts.bonus ? 'a bonus' : 'for a sale'} in ${programOf(facts)}.`,
    ),
  }),
  'commission.refunded': (facts) => ({
    title: facts.undone ? 'A refund of a sale of yours has failed' : 'A sale of yours was refunded',
    body: `Your commission in ${programOf(facts)} is ${facts.undone ? 'again' : 'now'} ${amountOf(facts)}.`,
  }),
  'commission.paid': (facts) => ({
    title: facts.adjusted
      ? `The adjustment of your balance by ${amountOf(facts)} is settled`
      : `Your commission of ${amountOf(facts)} is paid`,
    body: `It was part of a payout of ${programOf(facts)}.`,
  }),
  'payout.created': (facts) => ({
    title: `A payout of ${amountsOf(facts)} is on its way`,
    body: `${programOf(facts)} is paying you.`,
  }),
  'payout.completed': (facts) => ({
    title: `You were paid ${amountsOf(facts)}`,
    body: `The payout of ${programOf(facts)} is completed.`,
  }),
  'payout.unclaimed': (facts) => ({
    title: 'A payout waits for you',
    body: `PayPal holds ${amountsOf(facts)} of ${programOf(facts)}${facts.address ? ` for ${facts.address}` : ''}. Sign in there with this address, or open an account for it, until ${dayOf(facts)}: then it goes back.`,
  }),
  'payout.cancelled': (facts) => ({
    title: facts.returned
      ? `A payout of ${amountsOf(facts)} came back`
      : `A payout of ${amountsOf(facts)} was cancelled`,
    body: `What ${programOf(facts)} still owes you of it goes with a later payout. See that your payout method is right.`,
  }),
};

/** Types come from the code; one that this side does not have is a bug, and throws. */
export function notificationText(
  side: Side,
  type: MerchantNotificationType | PartnerNotificationType,
  facts: NotificationFacts,
): NotificationText {
  const texts: Partial<Record<string, (facts: NotificationFacts) => NotificationText>> =
    side === 'merchant' ? merchantTexts : partnerTexts;
  const write = texts[type];
  if (!write) throw new Error(`${type} is no notification for a ${side}`);
  return write(withIsolatedNames(facts));
}

/** What people typed stands beside amounts and sentences of ours, and must not turn them. */
function withIsolatedNames(facts: NotificationFacts): NotificationFacts {
  const { programName, partnerName, name, reason } = facts;
  return {
    ...facts,
    ...(programName ? { programName: isolated(programName) } : {}),
    ...(partnerName ? { partnerName: isolated(partnerName) } : {}),
    ...(name ? { name: isolated(name) } : {}),
    ...(reason ? { reason: isolated(withoutSteering(reason)) } : {}),
  };
}

function raisedMinimum(facts: NotificationFacts): NotificationText {
  return {
    title: `${programOf(facts)} pays from ${amountOf(facts)} on`,
    body: `${
      facts.formerly?.amountCents
        ? `Until now it paid from ${money(facts.formerly)} on.`
        : 'Until now it paid any amount.'
    } What is owed to you stays, and is paid once it comes to that.`,
  };
}

/** The terms before and after, a sentence each. */
function changedTerms(facts: NotificationFacts): NotificationText {
  const { terms = [], formerTerms = [] } = facts;
  const sentences = (lines: readonly string[]): string => lines.map((line) => `${line}.`).join(' ');
  return {
    title: `${programOf(facts)} has changed its terms`,
    body: `Until now: ${sentences(formerTerms)} From now on: ${sentences(terms)} What you have earned so far stays as it is.`,
  };
}

/** `1 March 2026, 09:30 UTC`. */
function momentOf(instant: string): string {
  const at = new Date(instant);
  const day = at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}

function eventsFail(facts: NotificationFacts): NotificationText {
  const biller = facts.biller ?? 'Stripe';
  return {
    title: `Events from ${biller} fail`,
    body: `An event could not be processed. Check the ${biller} connection.${because(facts)}`,
  };
}

function amountOf({ amount }: NotificationFacts): string {
  return amount ? money(amount) : 'a commission';
}

function amountsOf({ amounts = [] }: NotificationFacts): string {
  return amounts.map(money).join(' and ');
}

function programOf({ programName }: NotificationFacts): string {
  return programName ?? 'your programme';
}

function partnerOf({ partnerName }: NotificationFacts): string {
  return partnerName ?? 'A partner';
}

function partnersOf({ partners = 0 }: NotificationFacts): string {
  return partners === 1 ? '1 partner' : `${partners} partners`;
}

function conversionOf(facts: NotificationFacts): string {
  const amount = facts.amount ? `${money(facts.amount)} ` : '';
  return `${amount}by ${partnerOf(facts)} in ${programOf(facts)}`;
}

function reviewOf({ review }: NotificationFacts): string {
  return review ? ` ${reviewWords[review]}` : '';
}

function rulesOf({ rules = [] }: NotificationFacts): string {
  return rules.length > 0 ? ` What was seen: ${seenBy(rules)}.` : '';
}

function because({ reason }: NotificationFacts): string {
  return reason ? ` Reason: ${reason}` : '';
}

function reasonOr({ reason }: NotificationFacts, text: string): string {
  return reason ? `Reason: ${reason}` : text;
}

function keyOf({ kind, mode, name, prefix }: NotificationFacts): string {
  const named = name ? ` "${name}"` : '';
  return `A ${kind ?? ''} key${named} for ${mode ?? ''} mode, ${prefix ?? ''}...`;
}

function memberOf({ memberEmail }: NotificationFacts): string {
  return memberEmail ?? 'A member';
}

/** Keys outlive their maker until somebody ends them. */
function keysLeft({ keys = [] }: NotificationFacts): string {
  return keys.length === 0 ? '' : ` Keys that they made still work: ${keys.join(', ')}.`;
}

function workspaceOf({ name }: NotificationFacts): string {
  return name ?? 'Your workspace';
}

function dayOf({ until = '' }: NotificationFacts): string {
  return `${until.slice(0, 10)} (UTC)`;
}

function roleOf({ role }: NotificationFacts): string {
  return role ?? 'member';
}
