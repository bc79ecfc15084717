import type { Commission } from '../../entities/tables/commissions/commission.entity';
import { newId } from '../../entities/ids';
import { systemActor, type Actor } from '../../entities/rules/values/actor';
import {
  commissionMoves,
  reasonsAfter,
  whatIsDue,
  type CommissionStatus,
  type CommissionTrigger,
  type Decision,
} from '../../entities/rules/commissions/status';
import type { ParticipantStatus } from '../../entities/rules/partners/participant-status';
import { assertMove } from '../../entities/rules/values/moves';
import {
  withReason,
  withoutReason,
  type ReviewReason,
} from '../../entities/rules/commissions/review-reasons';
import type { LedgerEntryType } from '../../entities/rules/commissions/settlement';
import type { AuditEntry } from '../journal/rows';

export type CommissionEvent =
  | 'commission.created'
  | 'commission.approved'
  | 'commission.rejected'
  | 'commission.refunded'
  | 'commission.paid'
  | 'commission.updated';

export interface HistoryLine {
  id: string;
  from: CommissionStatus | null;
  to: CommissionStatus;
  trigger: CommissionTrigger;
  actor: Actor;
  reason: string | null;
}

interface LedgerLine {
  id: string;
  type: LedgerEntryType;
  amountCents: number;
  payoutId: string | null;
}

export interface PlannedEvent {
  id: string;
  type: CommissionEvent;
  /** The record as it was at that moment. */
  commission: Commission;
  /** The cause of the event; for notifications only. */
  cause: CommissionEventCause | null;
}

/**
 * A reason for a review that is new; `approved_at_once`: created and approved by one commit;
 * `refund_failed`: what a refund took off is due again; `credit_taken`, `credit_given`: by what is known
 * now, its sale earns nothing for the partner any more, or earns again.
 */
export type CommissionEventCause =
  | ReviewReason
  | 'approved_at_once'
  | 'refund_failed'
  | 'credit_taken'
  | 'credit_given';

/** Who did what, for the audit log. */
export type AuditLine = Pick<AuditEntry, 'actor' | 'action' | 'requestId'>;

/** What one cause does to one commission, before any of it is written. Built by pure functions. */
export interface CommissionChange {
  /** The commission after the change; `version` is one more than the one that it was decided on. */
  commission: Commission;
  history: HistoryLine[];
  ledger: LedgerLine[];
  events: PlannedEvent[];
  /** The lifecycle has to look again. */
  signalsLifecycle: boolean;
  /** A person rejected it: of conversions that are one payment another one may stand now. */
  asksAgain?: true;
  /** Who is to be named in the audit log, for what a person or key decided. */
  audit?: AuditLine;
  /** The request that led to the change; null for none. */
  requestId: string | null;
  at: Date;
}

/** When, and in which request. */
export interface ChangeCause {
  now: Date;
  requestId?: string | null | undefined;
}

/**
 * A change that as yet changes nothing. The first to arrive may be written last, and clocks of two
 * processes differ: a change is never dated before the one that it follows, so that sorting history,
 * ledger and events by time lists them as they happened.
 */
export function beginChange(
  commission: Commission,
  { now, requestId = null }: ChangeCause,
): CommissionChange {
  const updatedAt = now > commission.updatedAt ? now : commission.updatedAt;
  return unchanged({ ...commission, version: commission.version + 1, updatedAt }, requestId);
}

/** Nothing happened to the commission but what its row says, at the time that it says. */
export function unchanged(commission: Commission, requestId: string | null): CommissionChange {
  const at = commission.updatedAt;
  const signalsLifecycle = false;
  return { commission, history: [], ledger: [], events: [], signalsLifecycle, requestId, at };
}

/** The fields as they will be, with those that follow from them (flag, refunded amount). */
export function withFields(
  change: CommissionChange,
  fields: Partial<Commission>,
): CommissionChange {
  const commission = { ...change.commission, ...fields };
  commission.needsReview = commission.reviewReasons.length > 0;
  commission.refundedAmountCents = commission.originalAmountCents - commission.amountCents;
  return { ...change, commission };
}

/** Appends to the history; every change of status passes here, and only moves of the table do. */
export function withHistory(
  change: CommissionChange,
  line: Omit<HistoryLine, 'id' | 'reason'> & { reason?: string | null },
): CommissionChange {
  const { from, to, trigger } = line;
  if (from !== null && from !== to) assertMove(commissionMoves, { from, to, trigger });
  const entry = { id: newId(), reason: null, ...line };
  return { ...change, history: [...change.history, entry] };
}

/** Appends to the ledger and keeps its sum; an amount of 0 is no entry. */
export function withLedger(
  change: CommissionChange,
  line: { type: LedgerEntryType; amountCents: number; payoutId?: string },
): CommissionChange {
  if (line.amountCents === 0) return change;
  const entry = { id: newId(), payoutId: null, ...line };
  const owedCents = change.commission.owedCents + line.amountCents;
  return {
    ...withFields(change, { owedCents }),
    ledger: [...change.ledger, entry],
  };
}

/**
 * Adds an event that freezes the commission as it is at this point of the change. `reasonsBefore`
 * are those for a review that it had already, where there may be a new one.
 */
export function withEvent(
  change: CommissionChange,
  type: CommissionEvent,
  reasonsBefore: readonly ReviewReason[] = change.commission.reviewReasons,
): CommissionChange {
  const { commission } = change;
  const isNew = (reason: ReviewReason): boolean => !reasonsBefore.includes(reason);
  const cause = commission.reviewReasons.find(isNew) ?? null;
  const event = { id: newId(), type, commission, cause };
  return { ...change, events: [...change.events, event] };
}

/** Says what the last event came with. */
export function causedBy(change: CommissionChange, cause: CommissionEventCause): CommissionChange {
  const [last, ...before] = change.events.toReversed();
  return last ? { ...change, events: [...before.reverse(), { ...last, cause }] } : change;
}

/** Created and approved by one commit: whoever hears of the approval need not hear of more. */
export function approvedAtOnce(change: CommissionChange): CommissionChange {
  const events = change.events.map((event) => ({ ...event, cause: 'approved_at_once' as const }));
  return { ...change, events, signalsLifecycle: false };
}

export interface DecisionBy {
  decision: Decision | 'hold_elapsed' | 'bonus_lost';
  actor: Actor;
  reason: string | null;
}

/** Adds a decision that the rules allow: status, flags, history, reversal and event. */
export function withDecision(change: CommissionChange, by: DecisionBy): CommissionChange {
  const isRejection = by.decision === 'reject' || by.decision === 'bonus_lost';
  return isRejection ? rejected(change, by) : approved(change, by);
}

function approved(change: CommissionChange, by: DecisionBy): CommissionChange {
  const { commission, at } = change;
  const next = withFields(change, {
    status: 'approved',
    approvedAt: at,
    holdElapsed: true,
    reviewReasons: reasonsAfter('approve', commission.reviewReasons),
    decidedByType: by.actor.type,
    decidedById: by.actor.id,
    overrideReason: by.decision === 'approve_override' ? by.reason : commission.overrideReason,
  });
  return {
    ...withEvent(moved(next, commission, by), 'commission.approved'),
    signalsLifecycle: true,
  };
}

function rejected(change: CommissionChange, by: DecisionBy): CommissionChange {
  const { commission, at } = change;
  let next = withFields(change, {
    status: 'rejected',
    rejectedAt: at,
    rejectionReason: by.reason,
    reviewReasons: reasonsAfter('reject', commission.reviewReasons),
    decidedByType: by.actor.type,
    decidedById: by.actor.id,
    heldCents: 0,
  });
  next = withLedger(next, { type: 'dispute_release', amountCents: commission.heldCents });
  next = withLedger(next, { type: 'reversal', amountCents: -commission.amountCents });
  return {
    ...withEvent(moved(next, commission, by), 'commission.rejected'),
    signalsLifecycle: true,
  };
}

function moved(change: CommissionChange, before: Commission, by: DecisionBy): CommissionChange {
  return withHistory(change, {
    from: before.status,
    to: change.commission.status,
    trigger: by.decision,
    actor: by.actor,
    reason: by.reason,
  });
}

export interface ParticipantState {
  participantStatus: ParticipantStatus;
  participantErased: boolean;
}

/** Adds what time has brought about by now; the same change when that is nothing. */
export function withWhatIsDue(
  change: CommissionChange,
  participant: ParticipantState,
): CommissionChange {
  const { commission, at } = change;
  const state = {
    suspended: participant.participantStatus === 'suspended',
    erased: participant.participantErased,
  };
  const due = whatIsDue({ participant: state, ...commission }, at);
  if (due.action === 'none') return change;
  if (due.action === 'wait') return withFields(change, { holdElapsed: true });
  if (due.action === 'approve') {
    return withDecision(change, { decision: 'hold_elapsed', actor: systemActor, reason: null });
  }
  const alter = due.action === 'flag' ? withReason : withoutReason;
  const before = commission.reviewReasons;
  const reviewReasons = alter(before, due.reason);
  const altered = withFields(change, { holdElapsed: true, reviewReasons });
  const announced = { ...withEvent(altered, 'commission.updated', before), signalsLifecycle: true };
  return due.action === 'flag' ? announced : withWhatIsDue(announced, participant);
}
