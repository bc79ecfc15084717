import { newId } from '../../entities/ids';
import { isStripePaymentId } from '../../entities/rules/stripe/classify';
import { processorActor } from '../../entities/rules/values/actor';
import { boundedTransaction, type Db, type Tx } from '../../entities/database/sql';
import type { ConversionRecord } from '../conversions/conversion';
import {
  planReport,
  readFacts,
  recordAll,
  submissionOf,
  waitingOutOutages,
  type ReportOutcome,
  type Submission,
} from '../conversions/record';
import { assertSignal, type ConversionReport, type ReportContext } from '../conversions/report';
import { findConversion } from '../conversions/rows';
import { MicroBatch, recordOf } from '../../runtime/load/micro-batch';
import { retryWhileLocked } from '../../runtime/load/retry';
import { joinReportedPayment, lockReportedPayment } from '../stripe/payments/reported';

/** As recordOne; a report that names a payment of Stripe's also meets what its events have said. */
export async function recordConversion(
  db: Db,
  context: ReportContext,
  report: ConversionReport,
): Promise<ConversionRecord> {
  const submission = submissionOf(context, report);
  const record = async (): Promise<ConversionRecord> =>
    mayMeetStripe(report)
      ? recordBesideStripe(db, submission)
      : recordOf((await recordAll(db, [submission]))[0]);
  return retryWhileLocked(db, record);
}

function mayMeetStripe({ source, externalTransactionId }: ConversionReport): boolean {
  return source === 'api' && isStripePaymentId(externalTransactionId);
}

/** A report under an id of Stripe's, whose events may know more of the payment already. */
function recordBesideStripe(db: Db, submission: Submission): Promise<ConversionRecord> {
  const { scope, report, id, now } = submission;
  const { externalTransactionId } = report;
  const work = async (tx: Tx): Promise<ConversionRecord> => {
    await lockReportedPayment(tx, scope, externalTransactionId);
    const [outcome] = await recordAll(tx, [submission]);
    const record = recordOf(outcome);
    const context = { scope, actor: processorActor, now };
    await joinReportedPayment(tx, context, { externalTransactionId });
    return (await findConversion(tx, scope, id)) ?? record;
  };
  return waitingOutOutages(db, () => boundedTransaction(db, work));
}

/**
 * What recording the report now would give, or the refusal that it would meet, storing nothing.
 * The ids in the answer are made up. It takes a time in the future.
 */
export async function dryRunConversion(
  db: Db,
  { scope, now }: ReportContext,
  report: ConversionReport,
): Promise<ConversionRecord> {
  assertSignal(report);
  const submission = { scope, report, id: newId(), now };
  const [facts] = await readFacts(db, [submission]);
  return planReport(submission, facts).record;
}

/** Records the reports of one process; those that arrive together share a commit. */
export interface ConversionRecorder {
  record(context: ReportContext, report: ConversionReport): Promise<ConversionRecord>;
}

/** As recordConversion, for many at once: a lone report waits for no batch, a burst shares its commits. */
export function createConversionRecorder(db: Db): ConversionRecorder {
  const outcomes = new MicroBatch<Submission, ReportOutcome>({
    maxItems: 64,
    maxInFlight: 2,
    gatherMs: 2,
    maxWaiting: 5_000,
    patienceMs: 20_000,
    commit: (submissions) => recordAll(db, submissions),
  });
  return {
    async record(context, report) {
      const submission = submissionOf(context, report);
      return retryWhileLocked(db, async () =>
        mayMeetStripe(report)
          ? recordBesideStripe(db, submission)
          : recordOf(await outcomes.submit(submission)),
      );
    },
  };
}
