import type { Side } from '../accounts/accounts';
import { isReviewReason } from '../commissions/review-reasons';
import type { ParticipantCause } from '../partners/participant-status';
import type { WebhookEventKind } from '../webhooks/events';
import type {
  CommissionObject,
  ConversionObject,
  FraudConversionObject,
  ParticipantObject,
  PayoutItemObject,
  PayoutObject,
} from '../webhooks/objects';
import type { Amount, NotificationFacts } from './facts';
import type { NotificationType } from './types';

/** An event with its record as it was then (snake_case, as receivers get it). */
export interface HappenedEvent {
  type: WebhookEventKind;
  /**
   * What moved a participant. For a commission: the reason for a review that came with it,
   * `approved_at_once`, `refund_failed`, `credit_taken` or `credit_given`. For a payout: `paid_late` for items paid after its completion.
   */
  cause: string | null;
  object: Record<string, unknown>;
}

export interface KnownParticipant {
  partnerId: string;
  partnerName: string;
  /** Nothing is told any more of someone who was erased, save what they are paid. */
  erased: boolean;
  /** The account is erased too, so there is nobody to tell. */
  accountErased: boolean;
}

/** Names that the record of an event does not carry. */
export interface Names {
  program(id: string | null): string | null;
  participant(id: string | null): KnownParticipant | undefined;
}

export interface EventNotice {
  side: Side;
  type: NotificationType;
  /** The partner in whose feed it stands, on the partner's side. */
  partnerId: string | null;
  participantId: string | null;
  data: Record<string, string>;
  facts: NotificationFacts;
  /** False where the mail of another notice of the same commit says the same already. */
  isMailed?: false;
}

type NoticesOf = (event: HappenedEvent, names: Names) => EventNotice[];

/** Notices by the kind of the event; no other kind notifies. */
const noticesByKind: Partial<Record<WebhookEventKind, NoticesOf>> = {
  'conversion.created': conversionNotices,
  'conversion.fraud_detected': conversionNotices,
  'commission.created': commissionNotices,
  'commission.approved': commissionNotices,
  'commission.rejected': commissionNotices,
  'commission.refunded': commissionNotices,
  'commission.paid': commissionNotices,
  'commission.updated': commissionNotices,
  'participant.applied': participantNotices,
  'participant.approved': participantNotices,
  'participant.rejected': participantNotices,
  'participant.suspended': participantNotices,
  'payout.created': payoutNotices,
  'payout.completed': payoutNotices,
  'payout.cancelled': payoutNotices,
  'payout.item_returned': payoutNotices,
  'payout.item_updated': sentNotices,
};

/** Who is notified of an event, and of what. */
export function noticesOfEvent(event: HappenedEvent, names: Names): EventNotice[] {
  return noticesByKind[event.type]?.(event, names) ?? [];
}

function conversionNotices({ type, object }: HappenedEvent, names: Names): EventNotice[] {
  const conversion = object as ConversionObject & Partial<FraudConversionObject>;
  const { program_id: programId, participant_id: participantId } = conversion.attribution;
  const { currency, amount_cents: amountCents } = conversion;
  const isFraud = type === 'conversion.fraud_detected';
  return [
    {
      side: 'merchant',
      type: isFraud ? 'conversion.fraud_detected' : 'conversion.created',
      partnerId: null,
      participantId,
      data: idsOf({ conversionId: conversion.id, programId, participantId }),
      facts: {
        programName: names.program(programId),
        partnerName: names.participant(participantId)?.partnerName ?? null,
        amount: currency === null ? null : { amountCents, currency },
        transactionId: conversion.external_transaction_id,
        ...(isFraud ? { rules: (conversion.fraud_flags ?? []).map(({ rule }) => rule) } : {}),
      },
    },
  ];
}

function commissionNotices(event: HappenedEvent, names: Names): EventNotice[] {
  const commission = event.object as CommissionObject;
  const participant = names.participant(commission.participant_id);
  const about = {
    participantId: commission.participant_id,
    data: idsOf({
      commissionId: commission.id,
      conversionId: commission.conversion_id,
      programId: commission.program_id,
      participantId: commission.participant_id,
      payoutId: commission.payout_id,
    }),
  };
  const facts = commissionFacts(commission, names);
  const toMerchant = merchantCommissionNotice(event);
  const isAdjustment = commission.conversion_id === null && !facts.bonus;
  const toPartner = isAdjustment ? adjustmentNotice(event) : partnerCommissionNotice(event);
  const { partnerId = null, erased = true } = participant ?? {};
  return [
    ...(toMerchant
      ? [{ side: 'merchant' as const, partnerId: null, ...about, ...withFacts(toMerchant, facts) }]
      : []),
    ...(toPartner && !erased
      ? [{ side: 'partner' as const, partnerId, ...about, ...withFacts(toPartner, facts) }]
      : []),
  ];
}

function commissionFacts(commission: CommissionObject, names: Names): NotificationFacts {
  return {
    programName: names.program(commission.program_id),
    partnerName: names.participant(commission.participant_id)?.partnerName ?? null,
    amount: { amountCents: commission.amount_cents, currency: commission.currency },
    transactionId: commission.external_transaction_id,
    ...(commission.commission_type === 'bonus' ? { bonus: true } : {}),
  };
}

type CommissionNotice = Pick<EventNotice, 'type' | 'facts' | 'isMailed'>;

function withFacts(notice: CommissionNotice, facts: NotificationFacts): CommissionNotice {
  return { ...notice, facts: { ...facts, ...notice.facts } };
}

/** What waits for a person comes before what a refund took off. */
function merchantCommissionNotice({ type, cause }: HappenedEvent): CommissionNotice | undefined {
  if (isReviewReason(cause)) return { type: 'commission.needs_review', facts: { review: cause } };
  return type === 'commission.refunded' ? { type, facts: {} } : undefined;
}

/** It was never pending, so that its approval tells all. */
function adjustmentNotice(event: HappenedEvent): CommissionNotice | undefined {
  if (event.type === 'commission.created') return undefined;
  const notice = partnerCommissionNotice(event);
  return notice && { ...notice, facts: { ...notice.facts, adjusted: true } };
}

/** One event makes one notice; of what one commit did there is one mail. */
function partnerCommissionNotice({ type, cause }: HappenedEvent): CommissionNotice | undefined {
  if (cause === 'refund_failed') return { type: 'commission.refunded', facts: { undone: true } };
  if (cause === 'credit_taken') return { type: 'commission.rejected', facts: {} };
  if (cause === 'credit_given') return { type: 'commission.created', facts: {} };
  if (type === 'commission.updated') return undefined;
  const isAtOnce = cause === 'approved_at_once';
  const isTold = isAtOnce && type === 'commission.created';
  return {
    type: type as NotificationType,
    facts: isAtOnce ? { atOnce: true } : {},
    ...(isTold && { isMailed: false }),
  };
}

function participantNotices(event: HappenedEvent, names: Names): EventNotice[] {
  const { id, program_id: programId, status_reason: reason } = event.object as ParticipantObject;
  const participant = names.participant(id);
  const about = { participantId: id, data: idsOf({ participantId: id, programId }) };
  const facts: NotificationFacts = {
    programName: names.program(programId),
    partnerName: participant?.partnerName ?? null,
  };
  const notices: EventNotice[] = [];
  const toMerchant = merchantParticipantType(event);
  if (toMerchant) {
    notices.push({ side: 'merchant', type: toMerchant, partnerId: null, ...about, facts });
  }
  const toPartner = partnerParticipantType(event);
  if (toPartner && participant && !participant.erased) {
    const { partnerId } = participant;
    notices.push({
      side: 'partner',
      type: toPartner,
      partnerId,
      ...about,
      facts: { ...facts, reason },
    });
  }
  return notices;
}

function merchantParticipantType({ type, cause }: HappenedEvent): NotificationType | undefined {
  if (type === 'participant.applied') return type;
  return type === 'participant.approved' && isCause(cause, 'accept')
    ? 'participant.joined'
    : undefined;
}

function partnerParticipantType({ type, cause }: HappenedEvent): NotificationType | undefined {
  // Whom a server added, a mail of its own tells.
  if (type === 'participant.applied' || isCause(cause, 'add')) return undefined;
  return isCause(cause, 'reinstate') ? 'participant.reinstated' : (type as NotificationType);
}

function isCause(cause: string | null, of: ParticipantCause): boolean {
  return cause === of;
}

function payoutNotices(event: HappenedEvent, names: Names): EventNotice[] {
  const payout = event.object as PayoutObject;
  const programName = names.program(payout.program_id);
  const ids = { payoutId: payout.id, programId: payout.program_id };
  // What a completed payout did not pay, another event tells.
  const isCompleted = event.type === 'payout.completed';
  const told = payout.items.filter(({ status }) => !isCompleted || status === 'paid');
  const byParticipant = groupByParticipant(told);
  // A partner whom a provider pays is told at once, whatever the rest does.
  const untold = groupByParticipant(
    told.filter(({ provider }) => !isCompleted || !provider || event.cause === 'paid_late'),
  );

  const toPartners = [...untold].flatMap(([participantId, items]): EventNotice[] => {
    const participant = names.participant(participantId);
    if (!participant || participant.accountErased) return [];
    const { partnerId, partnerName } = participant;
    const data = idsOf({ ...ids, participantId });
    const facts = { programName, partnerName, amounts: sums(items) };
    const type = event.type === 'payout.item_returned' ? 'payout.cancelled' : event.type;
    const what = event.type === 'payout.item_returned' ? { ...facts, returned: true } : facts;
    return [
      {
        side: 'partner',
        type: type as NotificationType,
        partnerId,
        participantId,
        data,
        facts: what,
      },
    ];
  });
  const isNews = event.cause !== 'paid_late' && told.length > 0;
  if (!isCompleted || !isNews) return toPartners;
  const facts = { programName, amounts: sums(told), partners: byParticipant.size };
  const toMerchant: EventNotice = {
    side: 'merchant',
    type: 'payout.completed',
    partnerId: null,
    participantId: null,
    data: ids,
    facts,
  };
  return [toMerchant, ...toPartners];
}

/** Partners of items that a provider has just paid. */
function sentNotices(event: HappenedEvent, names: Names): EventNotice[] {
  const payout = event.object as PayoutObject;
  const paid = payout.items.filter(({ status }) => status === 'paid');
  const items = paid.map((item) => ({ ...item, provider: null }));
  const told = { ...event, type: 'payout.completed', cause: 'paid_late' } as const;
  return payoutNotices({ ...told, object: { ...payout, items } }, names);
}

function groupByParticipant(items: readonly PayoutItemObject[]): Map<string, PayoutItemObject[]> {
  const groups = new Map<string, PayoutItemObject[]>();
  for (const item of items) {
    groups.set(item.participant_id, [...(groups.get(item.participant_id) ?? []), item]);
  }
  return groups;
}

/** One amount for each currency, in the order in which they come. */
function sums(items: readonly PayoutItemObject[]): Amount[] {
  const totals = new Map<string, number>();
  for (const { currency, amount_cents: cents } of items) {
    totals.set(currency, (totals.get(currency) ?? 0) + cents);
  }
  return [...totals].map(([currency, amountCents]) => ({ amountCents, currency }));
}

function idsOf(ids: Record<string, string | null>): Record<string, string> {
  const known = Object.entries(ids).filter(([, id]) => id !== null);
  return Object.fromEntries(known) as Record<string, string>;
}
