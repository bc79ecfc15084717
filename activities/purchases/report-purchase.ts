import { findOne } from '../../entities/database/find';
import type { DecisionTrace } from '../../entities/rules/attribution/conversion';
import { AttributionDecision } from '../../entities/tables/conversions/attribution-decision.entity';
import { newId } from '../../entities/ids';
import { processorActor, systemActor } from '../../entities/rules/values/actor';
import type { Scope } from '../../entities/rules/values/mode';
import { boundedTransaction, isInTransaction, type Db, type Tx } from '../../entities/database/sql';
import type { ConversionRecord } from '../conversions/conversion';
import {
  OutOfOrderError,
  planReport,
  readFacts,
  recordAll,
  submissionOf,
  waitingOutOutages,
  type ReportOutcome,
} from '../conversions/record';
import type { Submission } from '../conversions/submission';
import { assertSignal, type ConversionReport, type ReportContext } from '../conversions/report';
import { findConversion } from '../conversions/rows';
import type { CreditContext } from '../credit/biller';
import { recordInTimeline } from '../credit/record-report';
import { MicroBatch, recordOf } from '../../runtime/load/micro-batch';
import { retryWhileLocked } from '../../runtime/load/retry';
import { billerOf } from '../billing/payments/biller';
import type { ProspectVault } from '../billing/payments/prospect';
import {
  findFirstTold,
  joinReportedPayment,
  lockReportedPayment,
  mayNamePayment,
} from '../billing/payments/reported';

/** Where reports enter. */
export interface ConversionRecorder {
  /**
   * Records a report, as recordAll does; one that names a payment of a biller's also meets what its events
   * have said. In an open transaction it commits with that; else those that arrive together share a commit.
   */
  record(db: Db, context: ReportContext, report: ConversionReport): Promise<ConversionRecord>;
}

/** The recorder of one process. The vault tells buyers' addresses from events that are stored of a payment. */
export function createConversionRecorder(
  own: Db,
  vault: ProspectVault | null = null,
): ConversionRecorder {
  const shared = new MicroBatch<Submission, ReportOutcome>({
    maxItems: 64,
    maxInFlight: 2,
    gatherMs: 2,
    maxWaiting: 5_000,
    patienceMs: 20_000,
    commit: (submissions) => recordAll(own, submissions),
  });
  const commit = (db: Db, one: Submission): Promise<ConversionRecord> =>
    isInTransaction(db) ? recordAlone(db, one) : shared.submit(one).then(recordOf);
  return {
    async record(db, context, report) {
      const submission = submissionOf(context, report);
      const asking = { ...context, vault };
      return retryWhileLocked(db, async () => {
        if (await mayMeetBiller(db, submission)) return recordBesideBiller(db, asking, submission);
        try {
          // The credit by what is stored of its customer, which says all of most.
          return await commit(db, submission);
        } catch (error) {
          if (!(error instanceof OutOfOrderError)) throw error;
          return recordInOrder(db, asking, submission);
        }
      });
    },
  };
}

async function recordAlone(db: Db, submission: Submission): Promise<ConversionRecord> {
  const [outcome] = await recordAll(db, [submission]);
  return recordOf(outcome);
}

type PurchaseContext = ReportContext & { vault: ProspectVault | null };

async function mayMeetBiller(db: Db, { scope, report }: Submission): Promise<boolean> {
  return report.source === 'api' && mayNamePayment(db, scope, report.externalTransactionId);
}

function creditContext({ vault, now, requestId, scope }: PurchaseContext): CreditContext {
  const biller = billerOf(vault, null);
  return { scope, now, requestId, actor: systemActor, biller, fact: 'report' };
}

/** Records a payment among all others of its customer, in the order of time. */
function recordInOrder(
  db: Db,
  context: PurchaseContext,
  submission: Submission,
): Promise<ConversionRecord> {
  const asking = { ...creditContext(context), now: submission.now };
  const work = async (tx: Tx): Promise<ConversionRecord> => {
    const record = await recordInTimeline(tx, asking, submission);
    return (await findConversion(tx, submission.scope, submission.id)) ?? record;
  };
  return waitingOutOutages(db, () => boundedTransaction(db, work));
}

/** A report under an id of a biller's, whose events may know more of the payment already. */
function recordBesideBiller(
  db: Db,
  context: PurchaseContext,
  submission: Submission,
): Promise<ConversionRecord> {
  const { scope, report, id, now } = submission;
  const { externalTransactionId } = report;
  const work = async (tx: Tx): Promise<ConversionRecord> => {
    const firstToldAt = await lockReportedPayment(tx, scope, externalTransactionId);
    const told = { ...submission, firstToldAt };
    const record = await recordQuickly(tx, { ...creditContext(context), now }, told);
    const asking = { scope, actor: processorActor, now };
    await joinReportedPayment(tx, asking, { externalTransactionId, vault: context.vault });
    return (await findConversion(tx, scope, id)) ?? record;
  };
  return waitingOutOutages(db, () => boundedTransaction(db, work));
}

async function recordQuickly(
  tx: Tx,
  context: CreditContext,
  submission: Submission,
): Promise<ConversionRecord> {
  if (submission.report.customerId !== null) return recordInTimeline(tx, context, submission);
  return recordAlone(tx, submission);
}

/** A report as it would be recorded, with why. */
export interface Tried {
  record: ConversionRecord;
  trace: DecisionTrace;
}

/**
 * What recording the report now would give, or the refusal that it would meet, storing nothing.
 * The ids in the answer are made up. It takes a time in the future.
 */
export async function dryRunConversion(
  db: Db,
  { scope, now }: ReportContext,
  report: ConversionReport,
): Promise<Tried> {
  assertSignal(report);
  const firstToldAt = await firstTold(db, scope, report.externalTransactionId);
  const submission = { scope, report, id: newId(), now, firstToldAt };
  const [facts] = await readFacts(db, [submission]);
  try {
    const { record, trace } = planReport(submission, facts);
    return { record, trace };
  } catch (error) {
    if (!(error instanceof OutOfOrderError)) throw error;
    return tryInOrder(db, creditContext({ scope, now, vault: null }), submission);
  }
}

async function firstTold(db: Db, scope: Scope, id: string): Promise<Date | undefined> {
  const isNamed = await mayNamePayment(db, scope, id);
  return isNamed ? findFirstTold(db, scope, id) : undefined;
}

/** Where other payments of the customer decide with it, it is recorded among them, and taken back. */
async function tryInOrder(db: Db, context: CreditContext, submission: Submission): Promise<Tried> {
  const found: Tried[] = [];
  const work = async (tx: Tx): Promise<void> => {
    const record = await recordInTimeline(tx, context, submission);
    found.push({ record, trace: await traceOf(tx, record.id) });
    throw new TakenBackError();
  };
  try {
    await retryWhileLocked(db, () => boundedTransaction(db, work));
  } catch (error) {
    if (!(error instanceof TakenBackError)) throw error;
  }
  const [tried] = found;
  if (!tried) throw new Error('a dry run that recorded nothing');
  return tried;
}

async function traceOf(tx: Tx, conversionId: string): Promise<DecisionTrace> {
  const where = { conversionId };
  const decision = await findOne(tx, AttributionDecision, { where });
  if (!decision) throw new Error('a conversion without a decision');
  return decision.trace;
}

/** What a dry run has written must not stay. */
class TakenBackError extends Error {
  override readonly name = 'TakenBackError';
}
