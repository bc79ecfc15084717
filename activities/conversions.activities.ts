import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, validationError } from '../entities/errors';
import { newId } from '../entities/ids';
import { isPassingOutage } from '../entities/outage';
import { clockToleranceMs } from '../entities/rules/attribution';
import type { Scope } from '../entities/rules/mode';
import { query, violatedConstraint, type Db } from '../entities/sql';
import { findConversion } from './conversion-columns';
import { readConversionFacts } from './conversion-facts';
import {
  aliasesOf,
  assertSignal,
  planConversion,
  type ConversionPlan,
  type ConversionReport,
} from './conversion-plan';
import type { ConversionRecord } from './conversion-record';
import { writeConversions } from './conversion-writes';
import {
  joinReportedPayment,
  lockReportedPayment,
  namesStripePayment,
} from './stripe-reported.activities';

export type { ConversionReport } from './conversion-plan';

const duplicateConstraint = 'uq_conversion_external_transaction';
/** Waits before further attempts: a restart of the database fits into their sum. */
const patienceMs = [100, 300, 1_000, 3_000];

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
  assertSignal(report);
  assertNotAhead(report, now);
  const id = newId();

  for (const waitMs of [...patienceMs, null]) {
    try {
      return await attemptToRecord(db, { scope, report, id, now });
    } catch (error) {
      // In an open transaction everything before is lost too: only its owner can begin again.
      const canRepeat = isPassingOutage(error) && !db.queryRunner?.isTransactionActive;
      if (!canRepeat || waitMs === null) throw error;
      await sleep(waitMs);
    }
  }
  throw new Error('unreachable: the last attempt returns or throws');
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
  return (await decide(db, { scope, report, id: newId(), now })).record;
}

interface Attempt {
  scope: Scope;
  report: ConversionReport;
  id: string;
  now: Date;
}

async function attemptToRecord(db: Db, attempt: Attempt): Promise<ConversionRecord> {
  const { scope, id } = attempt;
  try {
    if (mayMeetStripe(attempt.report)) return await recordBesideStripe(db, attempt);
    const plan = await decide(db, attempt);
    await write(db, scope, plan);
    return plan.record;
  } catch (error) {
    // The id is ours alone: an attempt before this one was committed, its answer was lost.
    if (error instanceof DuplicateOf && error.conversionId === id) {
      const recorded = await findConversion(db, scope, id);
      if (recorded) return recorded;
    }
    throw error;
  }
}

function mayMeetStripe({ source, externalTransactionId }: ConversionReport): boolean {
  return source === 'api' && namesStripePayment(externalTransactionId);
}

/** A report under an id of Stripe's: its events may know more of the payment already. */
async function recordBesideStripe(db: Db, attempt: Attempt): Promise<ConversionRecord> {
  const { scope, report, id, now } = attempt;
  const { externalTransactionId } = report;
  return db.transaction(async (tx) => {
    await lockReportedPayment(tx, scope, externalTransactionId);
    const plan = await decide(tx, attempt);
    await write(tx, scope, plan);
    await joinReportedPayment(tx, scope, { externalTransactionId, now });
    return (await findConversion(tx, scope, id)) ?? plan.record;
  });
}

/** Reads what there is to know and plans; refuses duplicates and signals of the other mode. */
async function decide(db: Db, { scope, report, id, now }: Attempt): Promise<ConversionPlan> {
  const question = {
    clickId: report.clickId,
    promoCode: report.promoCode,
    creditTo: report.credit?.participantId ?? null,
    aliases: aliasesOf(report),
    customerId: report.customerId,
    prospectHash: report.prospect?.hash ?? null,
  };
  const facts = await readConversionFacts(db, scope, question, now);
  if (facts.duplicateOf) throw new DuplicateOf(facts.duplicateOf);
  // An id of the other mode in a processor's event is simply no click of ours.
  if (facts.isOtherMode && report.source === 'api') throw new AppError('MODE_MISMATCH');
  return planConversion({ scope, report, facts, id, now });
}

/** Reports that were read side by side meet here: the second one finds the first one's id. */
async function write(db: Db, scope: Scope, plan: ConversionPlan): Promise<void> {
  try {
    if (db.queryRunner) await db.transaction((tx) => writeConversions(tx, scope, [plan]));
    else await writeConversions(db, scope, [plan]);
  } catch (error) {
    if (violatedConstraint(error) !== duplicateConstraint) throw error;
    const [first] = await query<{ id: string }>(
      db,
      `SELECT conversion_id AS id FROM conversion_aliases
        WHERE workspace_id = $1 AND mode = $2 AND alias = ANY ($3::text[]) LIMIT 1`,
      [scope.workspaceId, scope.mode, plan.aliases],
    );
    if (!first) throw error;
    throw new DuplicateOf(first.id);
  }
}

class DuplicateOf extends AppError {
  constructor(readonly conversionId: string) {
    super('CONVERSION_DUPLICATE', {
      headers: { Location: `/api/v1/conversions/${conversionId}` },
    });
  }
}

/** A merchant's clock may be a little ahead of ours; a processor's test clock may be years ahead. */
function assertNotAhead({ source, occurredAt }: ConversionReport, now: Date): void {
  if (source !== 'api' || !occurredAt) return;
  if (occurredAt.getTime() > now.getTime() + clockToleranceMs) {
    throw validationError('occurred_at', 'must not be more than 5 minutes ahead');
  }
}
