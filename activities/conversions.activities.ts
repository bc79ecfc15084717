import { validationError } from '../entities/errors';
import { newId } from '../entities/ids';
import { clockToleranceMs } from '../entities/rules/attribution';
import type { Scope } from '../entities/rules/mode';
import type { Db } from '../entities/sql';
import {
  decide,
  patiently,
  readFacts,
  recordAll,
  type Outcome,
  type Submission,
} from './conversion-batch';
import { findConversion } from './conversion-columns';
import { assertSignal, type ConversionReport } from './conversion-plan';
import type { ConversionRecord } from './conversion-record';
import { createGroupCommit } from './group-commit';
import {
  joinReportedPayment,
  lockReportedPayment,
  namesStripePayment,
} from './stripe-reported.activities';

export type { ConversionReport } from './conversion-plan';

/**
 * Records a purchase: conversion, decision, commission, ledger, events and outbox rows in one
 * transaction, decided once and for ever. Throws, having stored nothing, NO_ATTRIBUTION_SIGNAL,
 * CONVERSION_DUPLICATE (with the `Location` of the first) or MODE_MISMATCH, in this order.
 */
export async function recordConversion(
  db: Db,
  scope: Scope,
  report: ConversionReport,
  now: Date,
): Promise<ConversionRecord> {
  const submission = submissionOf(scope, report, now);
  if (mayMeetStripe(report)) return recordBesideStripe(db, submission);
  const [outcome] = await recordAll(db, [submission]);
  return recordOf(outcome);
}

function mayMeetStripe({ source, externalTransactionId }: ConversionReport): boolean {
  return source === 'api' && namesStripePayment(externalTransactionId);
}

/** A report under an id of Stripe's, whose events may know more of the payment already. */
function recordBesideStripe(db: Db, submission: Submission): Promise<ConversionRecord> {
  const { scope, report, id, now } = submission;
  const { externalTransactionId } = report;
  const work = async (tx: Db): Promise<ConversionRecord> => {
    await lockReportedPayment(tx, scope, externalTransactionId);
    const [outcome] = await recordAll(tx, [submission]);
    const record = recordOf(outcome);
    await joinReportedPayment(tx, scope, { externalTransactionId, now });
    return (await findConversion(tx, scope, id)) ?? record;
  };
  return patiently(db, () => db.transaction(work));
}

/**
 * What recording the report now would give, or the refusal that it would meet, storing nothing.
 * The ids in the answer are made up. It takes a time in the future.
 */
export async function dryRunConversion(
  db: Db,
  scope: Scope,
  report: ConversionReport,
  now: Date,
): Promise<ConversionRecord> {
  assertSignal(report);
  const submission = { scope, report, id: newId(), now };
  const [facts] = await readFacts(db, [submission]);
  return decide(submission, facts).record;
}

/** Records the reports of one process; those that arrive together share a commit. */
export interface ConversionRecorder {
  record(scope: Scope, report: ConversionReport, now: Date): Promise<ConversionRecord>;
}

const mostReports = 64;
const mostInFlight = 2;
const gatherMs = 2;
const mostWaiting = 5_000;
const patienceMs = 20_000;

/** As recordConversion, for many at once: a lone report waits for nobody, a burst shares its commits. */
export function createConversionRecorder(db: Db): ConversionRecorder {
  const outcomes = createGroupCommit<Submission, Outcome>({
    maxItems: mostReports,
    maxInFlight: mostInFlight,
    gatherMs,
    maxWaiting: mostWaiting,
    patienceMs,
    commit: (submissions) => recordAll(db, submissions),
  });
  return {
    async record(scope, report, now) {
      if (mayMeetStripe(report)) return recordConversion(db, scope, report, now);
      return recordOf(await outcomes.submit(submissionOf(scope, report, now)));
    },
  };
}

/** Refuses what can be refused without a look at the database. */
function submissionOf(scope: Scope, report: ConversionReport, now: Date): Submission {
  assertSignal(report);
  assertNotAhead(report, now);
  return { scope, report, id: newId(), now };
}

function recordOf(outcome: Outcome | undefined): ConversionRecord {
  if (!outcome) throw new Error('a report without an outcome');
  if ('error' in outcome) throw outcome.error;
  return outcome.record;
}

/** A merchant's clock may be a little ahead of ours; a processor's test clock may be years ahead. */
function assertNotAhead({ source, occurredAt }: ConversionReport, now: Date): void {
  if (source !== 'api' || !occurredAt) return;
  if (occurredAt.getTime() > now.getTime() + clockToleranceMs) {
    throw validationError('occurred_at', 'must not be more than 5 minutes ahead');
  }
}
