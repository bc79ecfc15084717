import {
  ActivityCancellationType,
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { CleanCursor } from '../activities/erasure/clean';
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { database } from './activities';
import { OperatorNudge } from './operator-nudge';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';
import {
  eraseUpdateName,
  type BegunErasure,
  type EraseRequest,
  type EraseSubjectInput,
  type ErasureProgress,
} from '../runtime/temporal/messages';

type Step =
  | 'waits for a request'
  | 'checks payouts, locks, ends sessions, codes and links'
  | 'anonymises'
  | 'undoes'
  | 'cleans copies'
  | 'waits for writes that had begun before'
  | 'cleans what they left'
  | 'cleans what failed'
  | 'completes the receipt'
  | 'waits for the confirmation to be sent'
  | 'done';

export interface ErasureState {
  kind: EraseSubjectInput['kind'];
  subjectId: string;
  step: Step;
  erasedAt: string | null;
  /** Code of the refusal, when there was one. */
  refusal: string | null;
  /** Parts (participations, and the account) that are clean, of how many. */
  cleaned: number;
  parts: number;
}

export const eraseUpdate = defineUpdate<{ erasedAt: string }, [EraseRequest]>(eraseUpdateName);
export const retryErasureUpdate = defineUpdate<null, [OperatorNote]>('retryNow');
export const erasureStateQuery = defineQuery<ErasureState>('state');

const quickly = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '2s' } as const;
const patiently = { ...quickly, maximumInterval: '30s' } as const;

/** Activities before the point of no return: a person waits, and what cannot be done soon is undone. */
const before = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  scheduleToCloseTimeout: '15s',
  retry: quickly,
  summary: 'A person waits: undone when it fails for 15 seconds',
});

/** Activities after it: everything is done, however long the database is away. */
const after = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: patiently,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  summary: 'Tried until it succeeds',
});

/** One part that fails must not hold up the others: it is left for later soon. */
const briefly = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { ...quickly, maximumAttempts: 5 },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  summary: 'One part, five attempts; what fails is left for later',
});

const retryNow = ofOperators('Tries at once what the erasure waits for, or what failed.');

/**
 * Erases a person's data: the checks and the lock, what can still be undone, the point of no return,
 * and then every copy, twice, because writes that had begun before it may end after it. The request
 * comes as an update and is answered when nothing can be undone any more. A run that was lost is
 * followed by one that goes on with its row.
 */
export async function eraseSubject(input: EraseSubjectInput): Promise<ErasureState> {
  const erasure = new Erasure(input);
  let first: EraseRequest | undefined;
  setHandler(erasureStateQuery, () => erasure.state);
  setHandler(
    eraseUpdate,
    async (request) => {
      first ??= request;
      await condition(() => erasure.isDecided);
      if (erasure.state.refusal) throw refusal(erasure.state.refusal);
      if (input.begun || first !== request) throw refusal('ALREADY_ERASED');
      return { erasedAt: erasure.state.erasedAt ?? '' };
    },
    { validator: requireTime, description: 'Of the API: erases, and answers at the pivot.' },
  );
  setHandler(retryErasureUpdate, (note) => erasure.retryNow(note), retryNow);

  if (input.begun) {
    await erasure.goOn(input.begun);
  } else {
    erasure.enter('waits for a request');
    await condition(() => first !== undefined, '1m');
    if (first) await erasure.run(first);
  }
  await condition(allHandlersFinished);
  erasure.enter('done');
  return erasure.state;
}

type Anonymised = NonNullable<Awaited<ReturnType<Activities['anonymiseErased']>>>;

interface ErasedPart {
  /** Null for the account. */
  participantId: string | null;
  since: string | null;
}

/** What is tried until it succeeds, beside each other. */
const partsAtOnce = 10;

class Erasure {
  readonly state: ErasureState;
  private erasureId: string;
  isDecided = false;
  /** The second pass reads all that the first one has missed. */
  private progress: ErasureProgress = { pass: 1, done: 0, missed: [], failing: [] };
  private partsOfRun = 0;
  private readonly attempts = new OperatorNudge();
  private since = instant();

  constructor(private readonly input: EraseSubjectInput) {
    const { kind, subjectId, begun } = input;
    this.erasureId = begun?.erasureId ?? '';
    const nothingYet = { erasedAt: null, refusal: null, cleaned: 0, parts: 0 };
    this.state = { kind, subjectId, step: 'waits for a request', ...nothingYet };
  }

  enter(step: Step): void {
    this.state.step = step;
    this.since = instant();
    setCurrentDetails(describe(this.state, this.since));
  }

  async retryNow(note: OperatorNote): Promise<null> {
    if (this.erasureId === '') throw refusal('NOT_FOUND');
    await asRefusal(database.noteErasureRetry({ erasureId: this.erasureId, note }));
    this.attempts.now();
    return null;
  }

  async run(request: EraseRequest): Promise<void> {
    this.erasureId = request.erasureId;
    const isLocked = await this.prepare(request);
    if (!isLocked) return;
    // A cancelled workflow finishes, too: half an erasure is worse than one.
    await CancellationScope.nonCancellable(() => this.finish(request));
  }

  /** Whoever asked for it has been told 503 by now, unless it was decided: then it is only finished. */
  async goOn({ erasedAt, progress }: BegunErasure): Promise<void> {
    this.state.erasedAt = erasedAt;
    if (progress) this.progress = progress;
    await CancellationScope.nonCancellable(() => this.finish({ answerBy: erasedAt }));
  }

  /** False when the erasure was refused, or could not be done soon and was undone. */
  private async prepare({ actor }: EraseRequest): Promise<boolean> {
    const { erasureId } = this;
    const { kind, subjectId } = this.input;
    try {
      this.enter('checks payouts, locks, ends sessions, codes and links');
      const lock = { erasureId, kind, subjectId, actor };
      this.state.erasedAt = (await before.beginErasure(lock)).erasedAt;
      return true;
    } catch (error) {
      if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
      return !(await CancellationScope.nonCancellable(() => this.undo(error)));
    }
  }

  /** True once all is as it was; false when it cannot be, and the erasure has to go on. */
  private async undo(error: unknown): Promise<boolean> {
    const { erasureId } = this;
    const { kind, subjectId } = this.input;
    const code = this.state.erasedAt === null ? refusalOf(error) : undefined;
    if (code === undefined) this.enter('undoes');
    const isUndone =
      code !== undefined ||
      (await this.attempts.call(() => after.undoErasureLock({ erasureId, kind, subjectId })));
    if (isUndone) {
      this.state.erasedAt = null;
      this.state.refusal = code ?? 'SERVICE_UNAVAILABLE';
      this.isDecided = true;
    }
    return isUndone;
  }

  /** Null when it was undone, because whoever asked was told that it did not happen. */
  private async passPivot({
    answerBy,
  }: Pick<EraseRequest, 'answerBy'>): Promise<Anonymised | null> {
    const { erasureId } = this;
    this.enter('anonymises');
    const isForced = this.state.erasedAt === null;
    const until = isForced ? null : answerBy;
    const passed = await this.attempts.call(() => after.anonymiseErased({ erasureId, until }));
    if (passed !== null) return passed;
    if (await this.undo(undefined)) return null;
    this.enter('anonymises');
    return this.attempts.call(() => after.anonymiseErased({ erasureId, until: null }));
  }

  private async finish(request: Pick<EraseRequest, 'answerBy'>): Promise<void> {
    const { erasureId } = this;
    const passed = await this.passPivot(request);
    if (passed === null) return;
    const { participantIds } = passed;
    this.state.erasedAt = passed.erasedAt;
    this.isDecided = true;

    const parts = this.input.kind === 'account' ? [null, ...participantIds] : participantIds;
    this.state.parts = parts.length;
    if (this.progress.pass === 1) {
      this.enter('cleans copies');
      await this.clean(parts, null);
      this.enter('waits for writes that had begun before');
      await sleep(this.input.settleMs, {
        summary: 'Until writes that had begun before have ended',
      });
      this.progress = { ...this.progress, pass: 2, done: 0 };
    }
    this.enter('cleans what they left');
    await this.clean(parts, this.state.erasedAt);
    await this.cleanWhatFailed();
    this.enter('completes the receipt');
    await this.attempts.call(() => after.completeErasure({ erasureId }));
    await this.awaitMail();
  }

  /** A few at a time: the server bounds what a run may have under way, and a history its length. */
  private async cleanWhatFailed(): Promise<void> {
    const { failing } = this.progress;
    if (failing.length > 0) this.enter('cleans what failed');
    while (failing.length > 0) {
      const few = failing.slice(0, partsAtOnce);
      await Promise.all(
        few.map((participantId) => this.cleanPart(after, { participantId, since: null })),
      );
      failing.splice(0, few.length);
      await this.startAfresh();
    }
  }

  private async clean(parts: (string | null)[], since: string | null): Promise<void> {
    const { progress } = this;
    const failed = progress.pass === 1 ? progress.missed : progress.failing;
    this.state.cleaned = progress.done - failed.length;
    for (const participantId of parts.slice(progress.done)) {
      const isMissed = progress.missed.includes(participantId);
      try {
        await this.cleanInTurn({ participantId, since: isMissed ? null : since });
      } catch (error) {
        if (!(error instanceof ActivityFailure)) throw error;
        failed.push(participantId);
      }
      progress.from = null;
      progress.done += 1;
      await this.startAfresh();
    }
  }

  /** Goes on in a new history, once this one has grown long; callers that still wait for an answer have it first. */
  private async startAfresh(): Promise<void> {
    const { erasureId, input, progress } = this;
    const { erasedAt } = this.state;
    this.partsOfRun += 1;
    const isLong = workflowInfo().continueAsNewSuggested || this.partsOfRun === input.partsPerRun;
    if (!isLong || erasedAt === null) return;
    await condition(allHandlersFinished);
    await continueAsNew<typeof eraseSubject>({
      ...input,
      begun: { erasureId, erasedAt, progress },
    });
  }

  /** One part, however long it takes: a new history goes on in its midst. */
  private async cleanInTurn(part: ErasedPart): Promise<void> {
    const { progress } = this;
    let from = await this.cleanSlice(briefly, part, (progress.from ?? null) as CleanCursor | null);
    while (from) {
      progress.from = from;
      await this.startAfresh();
      from = await this.cleanSlice(briefly, part, from);
    }
    this.countCleaned();
  }

  private async cleanPart(by: typeof after, part: ErasedPart): Promise<void> {
    let from = await this.cleanSlice(by, part, null);
    while (from) from = await this.cleanSlice(by, part, from);
    this.countCleaned();
  }

  private cleanSlice(
    by: typeof after,
    part: ErasedPart,
    from: CleanCursor | null,
  ): Promise<CleanCursor | null> {
    const { erasureId } = this;
    return this.attempts.call(() => by.cleanErasedCopies({ erasureId, ...part, from }));
  }

  private countCleaned(): void {
    this.state.cleaned += 1;
    setCurrentDetails(describe(this.state, this.since));
  }

  /** Its address is the last copy; after a day it is forgotten, sent or not. */
  private async awaitMail(): Promise<void> {
    const { erasureId } = this;
    this.enter('waits for the confirmation to be sent');
    for (let look = 1; look <= 300; look += 1) {
      const isOver = await this.attempts.call(() => after.isErasureMailOver({ erasureId }));
      if (isOver) break;
      await this.attempts.wait(look < 10 ? '2s' : '5m', 'Until the next look at the confirmation');
    }
    await this.attempts.call(() => after.forgetErasureRecipient({ erasureId }));
  }
}

/** The code with which the lock was refused; undefined for an outage, after which it may hold. */
function refusalOf(error: unknown): string | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const isRefusal = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  return isRefusal ? (cause.type ?? undefined) : undefined;
}

function refusal(code: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(code, code);
}

function requireTime({ until }: EraseRequest): void {
  if (Date.parse(until) < Date.now()) throw refusal('SERVICE_UNAVAILABLE');
}

/** What an operator reads in Temporal Web. */
function describe(state: ErasureState, since: string): string {
  const { kind, subjectId, step, erasedAt, refusal: code, cleaned, parts } = state;
  const more: string[] = [];
  if (code) more.push(`Refused: ${code}. Nothing was changed.`);
  if (erasedAt) more.push(`Counts as erased since ${erasedAt}.`);
  if (parts > 0) more.push(`Clean: ${cleaned} of ${parts} parts.`);
  return detailsOf({
    about: `Erasure of the ${kind} ${subjectId}`,
    now: step,
    since,
    next: step === 'done' ? 'The run ends.' : 'The step after this one; what fails is tried again.',
    updates: erasedAt && step !== 'done' ? ['retryNow'] : [],
    more,
  });
}
