import { queryOne, type Tx } from '../../../entities/database/sql';

/** One delivery on its way to dead letter. */
export interface NextDeadLetter {
  deliveryId: string;
  /** Attempts that were made of its present schedule, of how many. */
  attempts: number;
  of: number;
  /** ISO instant. */
  nextAt: string | null;
  /** HTTP status of the last answer; null when none came. */
  lastStatus: number | null;
}

/** The way of the delivery of an endpoint whose retry is due first; null when there is none. */
export async function readNextDeadLetter(
  tx: Tx,
  { endpointId, attemptsInAll }: { endpointId: string; attemptsInAll: number },
): Promise<NextDeadLetter | null> {
  const first = await queryOne<Omit<NextDeadLetter, 'of' | 'nextAt'> & { nextAt: Date | null }>(
    tx,
    `SELECT d.id AS "deliveryId", d.attempts - d.attempts_before AS attempts,
            d.next_attempt_at AS "nextAt", d.http_status_code AS "lastStatus"
       FROM webhook_deliveries d
      WHERE d.endpoint_id = $1 AND d.status = 'retrying' ORDER BY d.next_attempt_at LIMIT 1`,
    [endpointId],
  );
  return first
    ? { ...first, of: attemptsInAll, nextAt: first.nextAt?.toISOString() ?? null }
    : null;
}
