import { validationError } from '../entities/errors';
import { newId } from '../entities/ids';
import { clockToleranceMs } from '../entities/rules/attribution';
import type { Scope } from '../entities/rules/mode';
import type { Db } from '../entities/sql';
import { decide, readFacts, recordAll, type Outcome, type Submission } from './conversion-batch';
import { assertSignal, type ConversionReport } from './conversion-plan';
import type { ConversionRecord } from './conversion-record';
import { createGroupCommit } from './group-commit';

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
  const [outcome] = await recordAll(db, [submissionOf(scope, report, now)]);
  return recordOf(outcome);
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
const mostWaiting = 5_000;
const patienceMs = 20_000;

/** As recordConversion, for many at once: a lone report waits for nobody, a burst shares its commits. */
export function createConversionRecorder(db: Db): ConversionRecorder {
  const outcomes = createGroupCommit<Submission, Outcome>({
    maxItems: mostReports,
    maxInFlight: mostInFlight,
    maxWaiting: mostWaiting,
    patienceMs,
    commit: (submissions) => recordAll(db, submissions),
  });
  return {
    async record(scope, report, now) {
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
