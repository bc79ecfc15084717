import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { WorkflowStartOptions } from '@temporalio/client';
import { systemCause } from '../../activities/journal/cause';
import type { Work } from '../../activities/journal/outbox-claims';
import { createMailServer, type MailServer } from '../../activities/mail/server';
import { askMore, type MoreToAsk } from '../../activities/purchases/ask-more';
import { followUpPayment, type FollowUp } from '../../activities/billing/payments/follow-up';
import { tellTermsEdit, type TermsEdit } from '../../activities/programs/terms-edits';
import { tellRaisedMinimum, type RaisedMinimum } from '../../activities/programs/raised-minimum';
import { actOnStanding } from '../../activities/standings/act';
import type { StandingWork } from '../../activities/standings/ask';
import { tellClosing, type ClosingNews } from '../../activities/workspace/tell-closing';
import { cancelNextPage, type Unsubscribed } from '../../activities/webhooks/unsubscribe';
import { createPace, type Pace } from '../../runtime/load/pace';
import type { Deps } from '../../runtime/process/deps';
import type { FeedNews } from '../../activities/notifications/notify';
import { wakeStreams } from '../../activities/notifications/wake';
import { isMailType } from '../../entities/rules/mail/mail';
import { processorActor } from '../../entities/rules/values/actor';
import type { Scope } from '../../entities/rules/values/mode';
import {
  changedSignalName,
  memoOf,
  rangeSignalName,
  signalArgsOf,
  taskQueues,
  workflowIds,
  type TaskQueue,
} from '../../runtime/temporal/messages';
import type { TopicHandler } from './process-claim';
import { deliveriesHandler, noticesHandler } from './event-handlers';
import { eachForItself } from './each-for-itself';
import { commissionHandler, inASecond } from './lifecycle-starts';
import type { RelayHandlers } from './relay';
import { attributesOf, fairTo, inMode } from '../temporal/search-keys';
import { mailHandler } from './mails';
import { callForEach } from './temporal-calls';

/** What each topic of the outbox leads to. */
export function relayHandlers(
  deps: Deps,
  server: MailServer = createMailServer(deps),
): RelayHandlers {
  return {
    event_deliveries: deliveriesHandler(deps),
    event_notices: noticesHandler(deps),
    commission: commissionHandler(deps),
    mail: mailHandler(deps, { topic: 'mail', server, retries: mailRetries(deps) }),
    notice_mail: mailHandler(deps, { topic: 'notice_mail', server, retries: mailRetries(deps) }),
    stripe_event: signalHandler(deps, { type: 'processStripeEvent', queue: 'stripe' }, (work) => ({
      workflowId: workflowIds.stripeEvent(work.ref),
      args: [{ eventId: work.ref }],
      // The outbox says `other` for a type that we do not read.
      staticSummary: `${typeOf(work)}${inMode(work)}`,
    })),
    biller_code: billerCodeHandler(deps),
    stripe_payment: followUpHandler(deps),
    credit: askMoreHandler(deps),
    feed: feedHandler(deps),
    webhook_retries: retriesHandler(deps),
    unsubscribed_kinds: unsubscribedHandler(deps),
    terms_changed: termsHandler(deps),
    terms_edited: editsHandler(deps),
    workspace_closing: closingHandler(deps),
    standing: standingHandler(deps),
    payout_batch: signalHandler(deps, { type: 'payoutBatch', queue: 'payouts' }, (work) => ({
      workflowId: workflowIds.payoutBatch(work.ref),
      args: [{ batchId: work.ref }],
      staticSummary: `Payout batch${inMode(work)}`,
    })),
    test_reset: signalHandler(deps, { type: 'resetTestData', queue: 'bulk' }, (work) => ({
      workflowId: workflowIds.testReset(work.ref),
      args: [{ workspaceId: work.ref }],
      staticSummary: 'Reset of test data, or end of a closed workspace',
    })),
    import: signalHandler(deps, { type: 'importProgram', queue: 'bulk' }, (work) => ({
      workflowId: workflowIds.import(work.ref),
      args: [{ importId: work.ref }],
      staticSummary: `Import ${work.ref}`,
    })),
    webhook_requeue: signalHandler(deps, { type: 'requeueDeadLetters', queue: 'bulk' }, (work) => ({
      workflowId: workflowIds.webhookRequeue(work.ref),
      args: [{ endpointId: work.ref }],
      signal: rangeSignalName,
      signalArgs: [{ since: work.payload['since'] ?? null, until: work.payload['until'] }],
      staticSummary: `Dead letters of endpoint ${work.ref}${inMode(work)}`,
    })),
  };
}

function billerCodeHandler(deps: Deps): TopicHandler {
  return signalHandler(deps, { type: 'billerCode', queue: 'stripe' }, (work) => ({
    workflowId: workflowIds.billerCode(work.ref),
    args: [{ codeId: work.ref }],
    staticSummary: `Code at a biller${inMode(work)}`,
  }));
}

/** Starts a workflow for each mail that failed once; a refusing server may make many of them in a moment. */
function mailRetries(deps: Deps): TopicHandler {
  const pace = createPace(deps.config.relayStartsPerSecond);
  return startHandler(deps, { type: 'deliverMail', queue: 'mail', pace }, (work) => ({
    workflowId: workflowIds.mail(work.ref),
    args: [{ mailId: work.ref }],
    staticSummary: `${isMailType(typeOf(work)) ? typeOf(work) : 'other'}${inMode(work)}`,
  }));
}

/** The next attempt of an endpoint that failed is seconds away, and thousands may fail at once. */
function retriesHandler(deps: Deps): TopicHandler {
  const perSecond = deps.config.relayStartsPerSecond;
  const kind = { type: 'webhookRetries', queue: 'webhooks', pace: createPace(perSecond) } as const;
  return {
    claimSize: inASecond(perSecond),
    ...signalHandler(deps, kind, (work) => ({
      workflowId: workflowIds.webhookRetries(work.ref),
      args: [{ endpointId: work.ref }],
      staticSummary: `Retries of endpoint ${work.ref}${inMode(work)}`,
    })),
  };
}

/** Wakes the streams, no more: without Redis they find out by themselves. */
function feedHandler({ redis }: Pick<Deps, 'redis'>): TopicHandler {
  return {
    async handle(work) {
      const news = work.map(({ ref, payload }) => ({
        feedId: ref,
        mode: payload['mode'] as FeedNews['mode'],
      }));
      await wakeStreams(redis, news);
      return work.map(({ id }) => id);
    },
  };
}

type FollowUpDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'vault'>;

/** Looks at payments of Stripe's again. */
export function followUpHandler({ db, clock, log, vault }: FollowUpDeps): TopicHandler {
  return eachForItself({ log }, ({ ref: paymentId, workspaceId, payload }) => {
    const work: FollowUp = { ...payload, paymentId, workspaceId };
    const cause = { actor: processorActor, now: clock.now() };
    return followUpPayment({ db: db.manager, vault }, cause, work);
  });
}

/** Goes on with payments of a customer whose credit changes. */
export function askMoreHandler({ db, clock, log, vault }: FollowUpDeps): TopicHandler {
  return eachForItself({ log }, ({ workspaceId, payload }) => {
    const work = { ...(payload as unknown as MoreToAsk), workspaceId };
    const cause = { actor: processorActor, now: clock.now() };
    return askMore({ db: db.manager, vault }, cause, work);
  });
}

/** Deliveries of kinds that an endpoint has unsubscribed from: what the change itself left. */
function unsubscribedHandler({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): TopicHandler {
  return eachForItself({ log }, ({ ref, workspaceId, payload }) => {
    const { mode, kinds, after } = payload as unknown as Unsubscribed & Pick<Scope, 'mode'>;
    const context = { ...systemCause(clock.now()), scope: { workspaceId, mode } };
    return cancelNextPage(db.manager, context, { endpointId: ref, kinds, after });
  });
}

/** What edits of rules, commissions and holds have the partners told whom they concern. */
function editsHandler({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): TopicHandler {
  return eachForItself({ log }, ({ ref: programId, workspaceId, payload }) => {
    const { mode, ...edit } = payload as unknown as Omit<TermsEdit, 'programId'> &
      Pick<Scope, 'mode'>;
    const context = { ...systemCause(clock.now()), scope: { workspaceId, mode } };
    return tellTermsEdit(db.manager, context, { ...edit, programId });
  });
}

/** Partners whose figures may have reached a step or a bonus. */
function standingHandler({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): TopicHandler {
  return eachForItself({ log }, ({ workspaceId, payload }) => {
    const { mode, ...work } = payload as unknown as StandingWork & Pick<Scope, 'mode'>;
    const context = { ...systemCause(clock.now()), scope: { workspaceId, mode } };
    return actOnStanding(db.manager, context, work);
  });
}

/** What an edit of a programme's terms has its partners told. */
function termsHandler({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): TopicHandler {
  return eachForItself({ log }, ({ ref, workspaceId, payload }) => {
    const { mode, ...told } = payload as unknown as Omit<RaisedMinimum, 'programId'> &
      Pick<Scope, 'mode'>;
    const context = { ...systemCause(clock.now()), scope: { workspaceId, mode } };
    return tellRaisedMinimum(db.manager, context, { ...told, programId: ref });
  });
}

/** What the end of a workspace has the partners of its programmes told. */
function closingHandler({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): TopicHandler {
  return eachForItself({ log }, ({ ref, workspaceId, payload }) => {
    const { mode, ...news } = payload as unknown as Omit<ClosingNews, 'programId'> &
      Pick<Scope, 'mode'>;
    const context = { ...systemCause(clock.now()), scope: { workspaceId, mode } };
    return tellClosing(db.manager, context, { ...news, programId: ref });
  });
}

interface WorkflowKind {
  /** The name of the workflow's function in workflows/. */
  type: string;
  queue: TaskQueue;
  /** The pace of the calls; none for what comes a few at a time. */
  pace?: Pace | undefined;
}

interface Target {
  workflowId: string;
  args: unknown[];
  staticSummary: string;
}

/** Whatever a sender wrote: of that, a summary for operators shows only types that are known. */
function typeOf({ payload: { type } }: Work): string {
  return typeof type === 'string' ? type : '';
}

/** Starts once; a workflow of that id that runs already is success. */
function startHandler(
  deps: Deps,
  { type, queue, pace }: WorkflowKind,
  target: (work: Work) => Target,
): TopicHandler {
  return {
    handle: (work, report) =>
      callForEach(deps, work, {
        turn: () => pace?.turn(),
        report,
        call: async (client, item) => {
          try {
            await client.workflow.start(type, startOf(queue, item, target));
          } catch (error) {
            if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
          }
        },
      }),
  };
}

/** Starts a workflow, or signals the running one to read its rows again. */
function signalHandler(
  deps: Deps,
  { type, queue, pace }: WorkflowKind,
  target: (work: Work) => Target & { signal?: string; signalArgs?: unknown[] },
): TopicHandler {
  return {
    handle: (work, report) =>
      callForEach(deps, work, {
        turn: () => pace?.turn(),
        report,
        call: async (client, item) => {
          const { signalArgs = [], ...started } = startOf(queue, item, target);
          await client.workflow.signalWithStart(type, {
            signal: changedSignalName,
            ...started,
            signalArgs: [...signalArgs, ...signalArgsOf(item.requestId)],
          });
        },
      }),
  };
}

function startOf<T extends Target>(
  queue: TaskQueue,
  work: Work,
  target: (work: Work) => T,
): T & Pick<WorkflowStartOptions, 'taskQueue' | 'typedSearchAttributes' | 'priority' | 'memo'> {
  return {
    taskQueue: taskQueues[queue],
    priority: fairTo(work),
    typedSearchAttributes: attributesOf(work),
    memo: memoOf(work.requestId),
    ...target(work),
  };
}
