import type { ConversionRecord } from '../../../activities/conversions/conversion';
import type { ConversionReport, ReportContext } from '../../../activities/conversions/report';
import { createConversionRecorder } from '../../../activities/purchases/report-purchase';
import { newId } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import {
  buildParticipant,
  buildPromoCode,
  type BuiltParticipant,
  type ParticipantOverrides,
} from './programs';

/** Records a report beside no other: each has a recorder, and so a commit, of its own. */
export function recordConversion(
  db: Db,
  context: ReportContext,
  report: ConversionReport,
): Promise<ConversionRecord> {
  return createConversionRecorder(db).record(db, context, report);
}

/** A report of 100.00 usd under a fresh id, without a signal unless one is given. */
export function buildReport(overrides: Partial<ConversionReport> = {}): ConversionReport {
  return {
    source: 'api',
    externalTransactionId: `order_${newId()}`,
    aliases: [],
    eventType: 'purchase',
    amountCents: 10_000,
    currency: 'usd',
    occurredAt: null,
    clickId: null,
    promoCode: null,
    prospect: null,
    customerId: null,
    metadata: null,
    items: null,
    feeCents: null,
    credit: null,
    ...overrides,
  };
}

export interface ConversionOverrides extends Partial<ConversionReport> {
  /** Whom it is credited to, by a promo code, unless a signal is given. Made when left out. */
  participant?: BuiltParticipant;
  participantOf?: ParticipantOverrides;
  /** The time of the report; now unless told. */
  now?: Date;
}

/** A conversion as the service records it, with commission, ledger and events. */
export async function buildConversion(
  db: Db,
  overrides: ConversionOverrides = {},
): Promise<ConversionRecord> {
  const { participant: given, participantOf, now = new Date(), ...fields } = overrides;
  const participant = given ?? (await buildParticipant(db, participantOf ?? {}));
  const report = buildReport(fields);
  if (report.clickId === null && report.promoCode === null && report.credit === null) {
    report.promoCode = (await buildPromoCode(db, participant)).code;
  }
  const { workspaceId, mode } = participant;
  return recordConversion(db, { scope: { workspaceId, mode }, now }, report);
}
