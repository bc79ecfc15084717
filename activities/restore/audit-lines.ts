import type { ShippedBatch } from '../sending/restored';

/** A line of the audit log, as it was shipped out of the database. */
export interface ShippedLine {
  at: Date;
  action: string;
  targetType: string;
  targetId: string | null;
  actorId: string | null;
  /** Ids, codes and numbers that the line tells by itself. */
  details: Record<string, unknown>;
}

/** Who may do what, who is paid how and by which terms, and whose a customer is: what a backup gives back as it was. */
const watched: readonly string[] = [
  'account.',
  'api_key.',
  'customer.',
  'fraud_rules.',
  'group.',
  'member.',
  'participant.',
  'payout.',
  'payout_provider.',
  'program.',
  'promo_code.',
  'stripe.',
  'suppressed_address.',
  'two_factor.',
  'webhook.',
  'workspace.',
];

/**
 * What of shipped audit lines, a JSON object each with the columns of `audit_log`, happened since a
 * moment to keys, members, accounts, payouts, partners, terms and customers: in the order in which it happened, each line once.
 * Throws for a line that is none, naming it.
 */
export function changedSince(text: string, since: Date): ShippedLine[] {
  const seen = new Map<string, ShippedLine>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { id, shipped } = readLine(line, index + 1);
    if (shipped.at >= since && isWatched(shipped.action)) seen.set(id, shipped);
  }
  return [...seen.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Who read of a partner has changed nothing; a payout that was exported may have been paid. */
const unwatched: readonly string[] = ['participant.exported'];

const isWatched = (action: string): boolean =>
  !unwatched.includes(action) && watched.some((start) => action.startsWith(start));

function readLine(line: string, number: number): { id: string; shipped: ShippedLine } {
  const row = objectOf(line);
  const at = new Date(textOf(row, 'created_at') ?? '');
  const [id, action, targetType] = [
    textOf(row, 'id'),
    textOf(row, 'action'),
    textOf(row, 'target_type'),
  ];
  if (!id || !action || !targetType || Number.isNaN(at.getTime())) {
    throw new Error(`line ${number} is no line of the audit log`);
  }
  const [targetId, actorId] = [textOf(row, 'target_id'), textOf(row, 'actor_id')];
  const details = detailsOf(row['details']);
  return { id, shipped: { at, action, targetType, targetId, actorId, details } };
}

/** An object, or its text, as a copy of the table may have it. */
function detailsOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') return objectOf(value);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The batches that were sent to a provider, each with what its audit line says. */
export function batchesIn(changes: readonly ShippedLine[]): ShippedBatch[] {
  return changes.flatMap(({ action, targetId, details }) => {
    const isOfBatch = action === 'payout.batch_stored' || action === 'payout.batch_taken';
    const [payoutId, currency] = [textOf(details, 'payoutId'), textOf(details, 'currency')];
    if (!isOfBatch || targetId === null || payoutId === null || currency === null) return [];
    return [{ batchId: targetId, payoutId, currency, ...saidOf(details) }];
  });
}

/** By what a person finds the batch at its provider. */
function saidOf(details: ShippedLine['details']): Partial<ShippedBatch> {
  return {
    senderBatchId: textOf(details, 'senderBatchId'),
    providerBatchId: textOf(details, 'providerBatchId'),
    items: numberOf(details, 'items'),
    amountCents: numberOf(details, 'amountCents'),
  };
}

function objectOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(row: Record<string, unknown>, name: string): string | null {
  const value = row[name];
  return typeof value === 'string' ? value : null;
}

function numberOf(row: Record<string, unknown>, name: string): number | null {
  const value = row[name];
  return typeof value === 'number' ? value : null;
}
