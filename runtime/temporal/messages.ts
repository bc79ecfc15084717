/** Ids, queues and inputs: what the API and the workers may know of the workflows. */
export const taskQueues = {
  commissions: 'commissions',
  stripe: 'stripe',
  webhooks: 'webhooks',
  /** Apart: a provider that does not answer holds nobody else up. */
  payouts: 'payouts',
  mail: 'mail',
  /** Apart from `bulk`: a person waits for the first steps, whatever else is long under way. */
  erasure: 'erasure',
  /** Long work that a person asked for: resets, replays. */
  bulk: 'bulk',
  /** The schedules: repair, partitions, retention. */
  maintenance: 'maintenance',
} as const;
export type TaskQueue = keyof typeof taskQueues;

/** Keyword search attributes, set at start only; registered by the stack and the deploy command. */
export const searchAttributeNames = ['WorkspaceId', 'ProgramId', 'Mode'] as const;

/** Times are ISO instants. Everything else is read from the row, never remembered. */
export interface CommissionLifecycleInput {
  commissionId: string;
  /** When the hold ends; null for no hold. */
  holdUntil: string | null;
  needsReview: boolean;
  /** Looks at the row before the history starts afresh, when the server does not suggest it; for tests. */
  looksPerRun?: number;
}

export interface DeliverMailInput {
  mailId: string;
}

/** How an attempt of a Stripe event ends that brought it to no end: types of its failure. */
export const stripeAttemptFailures = {
  /** Nothing is wrong with the event: it counts for nothing and is tried again by the server. */
  putOff: 'StripeEventPutOff',
  /** It failed: the workflow counts it and waits. */
  failed: 'StripeEventFailed',
} as const;

export interface ProcessStripeEventInput {
  /** Ours, not Stripe's. */
  eventId: string;
  /** How often to try, and how long to wait before the second attempt; about a day unless given. */
  patience?: { firstWaitMs: number; attempts: number };
}

export interface WebhookRetriesInput {
  endpointId: string;
  /** Rounds before the history starts afresh; tests shorten it. */
  roundsPerRun?: number;
}

/** Dead letters of one request, by ISO instants. */
export interface RequeueRange {
  /** The time from which on dead letters are taken, by their creation; null for all. */
  since: string | null;
  /** Leaves those alone that died after the command. */
  until: string;
}

/** Ranges come by signal; a run that goes on carries those that are left, and the count so far. */
export interface RequeueDeadLettersInput {
  endpointId: string;
  ranges?: RequeueRange[];
  queued?: number;
  /** Batches before the history starts afresh; tests shorten it. */
  batchesPerRun?: number;
}

/** Erases a partner account or one participation; the requests for it come as updates. */
export interface EraseSubjectInput {
  kind: 'account' | 'participant';
  subjectId: string;
  /** How long writes that had begun before may take to end. */
  settleMs: number;
  /** The erasure that another run began, and that this one goes on with. */
  begun?: BegunErasure;
  /** Parts, or slices of one, before the history starts afresh, when the server does not suggest it; for tests. */
  partsPerRun?: number;
}

/** An erasure whose row is there: what is not past the point of no return is undone. */
export interface BegunErasure {
  erasureId: string;
  /** ISO instant, of the row. */
  erasedAt: string;
  /** How far a run came whose history grew too long. */
  progress?: ErasureProgress;
}

/** Parts are participations, null for the account; the first pass cleans all, the second what came late. */
export interface ErasureProgress {
  pass: 1 | 2;
  /** Parts that this pass is through with. */
  done: number;
  /** The parts that the first pass could not clean. */
  missed: (string | null)[];
  /** The parts that the second pass could not clean either, so far. */
  failing: (string | null)[];
  /** Where the part after those goes on, as its activity gave it; null or none for its beginning. */
  from?: object | null;
}

export interface EraseRequest {
  /** Chosen by who asks, so that they can take it back when they lose the answer. */
  erasureId: string;
  /** Account of the person who asks; null for an operator. */
  actor: { type: 'member' | 'partner' | 'operator'; id: string | null };
  /** ISO instant: after it no client waits for the answer, and the request counts for nothing. */
  until: string;
  /** ISO instant: what has not passed the point of no return by then is undone. */
  answerBy: string;
}

export interface PayoutBatchInput {
  batchId: string;
  /** Rounds before the history starts afresh, when the server does not suggest it; for tests. */
  roundsPerRun?: number;
}

export interface BillerCodeInput {
  codeId: string;
}

export interface ResetTestDataInput {
  workspaceId: string;
  /** Rounds before the history begins again; tests shorten it. */
  roundsPerRun?: number;
}

export interface ImportProgramInput {
  importId: string;
  /** Turns before the history begins again; tests shorten it. */
  turnsPerRun?: number;
}

export const workflowIds = {
  erasure: (kind: string, id: string): string => `erasure/${kind}/${id}`,
  commission: (id: string): string => `commission/${id}`,
  mail: (id: string): string => `mail/${id}`,
  stripeEvent: (id: string): string => `stripe-event/${id}`,
  webhookRetries: (endpointId: string): string => `webhook-retries/${endpointId}`,
  billerCode: (id: string): string => `biller-code/${id}`,
  payoutBatch: (id: string): string => `payout-batch/${id}`,
  testReset: (workspaceId: string): string => `test-reset/${workspaceId}`,
  import: (importId: string): string => `import/${importId}`,
  webhookRequeue: (endpointId: string): string => `webhook-requeue/${endpointId}`,
};

/** Names of the messages of commissionLifecycle and webhookRetries. */
export const changedSignalName = 'changed';

/** The request in which a run began, so that its trail is found from Temporal Web, and in the log from it. */
export function memoOf(requestId: string | null | undefined): Record<string, string> {
  return typeof requestId === 'string' ? { requestId } : {};
}

/** The same of a signal, which may come from another request: its last argument. */
export function signalArgsOf(requestId: string | null | undefined): string[] {
  return typeof requestId === 'string' ? [requestId] : [];
}

/** The header by which activities name the request that they run for. */
export const requestHeader = 'requestId';

/** Name of the update of eraseSubject. */
export const eraseUpdateName = 'erase';

/** Name of the message of requeueDeadLetters: one more range. */
export const rangeSignalName = 'range';

/** What is repaired, each by a schedule of its own. */
export const repairParts = [
  'overdue',
  'lifecycles',
  'webhooks',
  'stripe_events',
  'stripe_connections',
  'biller_codes',
  'payout_batches',
  'mails',
  'requeues',
  'erasures',
  'test_resets',
  'closings',
  'imports',
] as const;
export type RepairPart = (typeof repairParts)[number];

export interface RepairInput {
  part: RepairPart;
}

/** The tables that a retention run purges, in the order of its input. */
export interface RetentionInput {
  tables: readonly string[];
  /** What the runs before this one came to, where one history was not enough. */
  deleted?: number;
  failed?: readonly string[];
  /** Batches before the history starts afresh, when the server does not suggest it; for tests. */
  batchesPerRun?: number;
}
