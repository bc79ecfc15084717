import { validationError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { clockToleranceMs } from '../../entities/rules/attribution/attribute';
import type { Scope } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';
import type { ConversionRecord } from './conversion';
import { assertSignal, type ConversionReport } from './decide';
import { recordAll, type Outcome, type Submission } from './record';

export interface ReportedNow {
  scope: Scope;
  report: ConversionReport;
  now: Date;
}

/**
 * Records a purchase: conversion, decision, commission, ledger, events and outbox rows in one
 * transaction, decided once and for ever. Throws, having stored nothing, NO_ATTRIBUTION_SIGNAL,
 * CONVERSION_DUPLICATE (with the `Location` of the first) or MODE_MISMATCH, in this order.
 */
export async function recordOne(
  db: Db,
  { scope, report, now }: ReportedNow,
): Promise<ConversionRecord> {
  const [outcome] = await recordAll(db, [submissionOf(scope, report, now)]);
  return recordIn(outcome);
}

/** Refuses what can be refused without a look at the database. */
export function submissionOf(scope: Scope, report: ConversionReport, now: Date): Submission {
  assertNotAhead(report, now);
  assertSignal(report);
  return { scope, report, id: newId(), now };
}

/** The record that an outcome holds; throws the refusal that it holds instead. */
export function recordIn(outcome: Outcome | undefined): ConversionRecord {
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
