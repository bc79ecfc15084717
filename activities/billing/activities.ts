import { ApplicationFailure } from '@temporalio/common';
import { AppError } from '../../entities/errors';
import { isLocked, isDatabaseOutage } from '../../entities/database/errors';
import { boundedTransaction, queryOne } from '../../entities/database/sql';
import {
  openStripeEvents,
  type StripeEventStatus,
} from '../../entities/rules/billing/event-status';
import { billerNames, type Biller } from '../../entities/rules/billing/biller';
import { shownEventType } from '../../entities/rules/billers';
import { stripeAttemptFailures } from '../../runtime/temporal/messages';
import { BillerAwayError } from './away';
import { giveUpEvent } from './events/give-up';
import {
  contextOf,
  findEvent,
  processEvent,
  type ProcessingDeps,
  type ReceivedEvent,
} from './events/process';
import { usualReadGapMs } from './events/pace';
import { noteFailedAttempt } from './events/progress';
import { createEventTurns, PutOffError } from './events/turns';
import { orderStripeEvent, type EventCommand } from './operator-commands';
import { PaymentTooLargeError } from './payments/apply';

export interface StripeEventState {
  /** `gone` when the row was deleted meanwhile (a reset of test data). */
  status: StripeEventStatus | 'gone';
  type: string;
  attempts: number;
}

const gone: StripeEventState = { status: 'gone', type: '', attempts: 0 };
const tooLarge = 'Its payment has more objects than one payment can have.';

type StateDeps = Omit<ProcessingDeps, 'turns' | 'readGapMs'>;

export interface AttemptInput {
  eventId: string;
}

/** The activities of processStripeEvent: ids in, states out. */
export function createStripeActivities(deps: StateDeps, { readGapMs = usualReadGapMs } = {}) {
  const turns = createEventTurns();
  const processing = { ...deps, turns, readGapMs };
  return {
    /**
     * One attempt. What went wrong is written on the event; the error leaves without details. One
     * that is put off, because the workspace has enough under way or its rows are locked, is none.
     */
    async attemptStripeEvent({ eventId }: AttemptInput): Promise<StripeEventState> {
      const event = await findEvent(deps.db.manager, eventId);
      if (!event) return gone;
      if (!openStripeEvents.includes(event.status)) return stateOf(deps, eventId);
      try {
        await turns.attempt(event.workspaceId, () => processEvent(processing, event));
      } catch (error) {
        if (error instanceof PaymentTooLargeError) return endFailed(deps, event, tooLarge);
        if (error instanceof PutOffError || isLocked(error)) throw putOff();
        await noteFailure(deps, event, error);
        throw failed();
      }
      return stateOf(deps, eventId);
    },

    /** What an operator commands for an event that is not at its end. */
    orderStripeEvent: (command: EventCommand): Promise<void> => orderStripeEvent(deps, command),

    /** Gives up: the event stays with its reason and can be replayed. */
    async giveUpStripeEvent({ eventId }: { eventId: string }): Promise<StripeEventState> {
      const event = await findEvent(deps.db.manager, eventId);
      return event ? endFailed(deps, event, 'It could not be processed.') : gone;
    },
  };
}

function putOff(): ApplicationFailure {
  const message = 'Put off behind other work of the workspace.';
  return ApplicationFailure.retryable(message, stripeAttemptFailures.putOff);
}

function failed(): ApplicationFailure {
  const message = 'An attempt failed; the event says why.';
  return ApplicationFailure.nonRetryable(message, stripeAttemptFailures.failed);
}

async function endFailed(
  deps: StateDeps,
  event: ReceivedEvent,
  reason: string,
): Promise<StripeEventState> {
  const context = contextOf(event, deps.clock.now());
  await boundedTransaction(deps.db, (tx) =>
    giveUpEvent(tx, context, { eventId: event.id, reason }),
  );
  return stateOf(deps, event.id);
}

async function stateOf({ db }: StateDeps, id: string): Promise<StripeEventState> {
  const state = await queryOne<StripeEventState & { biller: Biller }>(
    db.manager,
    'SELECT biller, status, type, attempts FROM stripe_events WHERE id = $1',
    [id],
  );
  if (!state) return gone;
  const { biller, status, type, attempts } = state;
  return { status, type: shownEventType(biller, type), attempts };
}

async function noteFailure(deps: StateDeps, event: ReceivedEvent, error: unknown): Promise<void> {
  const told = { err: error, stripeEvent: event.id, biller: event.biller };
  deps.log.warn(told, "a biller's event failed, it is tried again");
  const noted = { eventId: event.id, reason: sentenceOf(error) };
  const context = contextOf(event, deps.clock.now());
  await boundedTransaction(deps.db, (tx) => noteFailedAttempt(tx, context, noted));
}

/** What the merchant reads: a sentence for each class of error, never the error's own text. */
function sentenceOf(error: unknown): string {
  if (error instanceof BillerAwayError) {
    return `${billerNames[error.biller]} did not answer when it was asked for what the event leaves out.`;
  }
  if (error instanceof AppError) return 'Another report of the same payment came at the same time.';
  if (isDatabaseOutage(error)) return 'The database did not answer in time.';
  return 'Something went wrong on our side.';
}
