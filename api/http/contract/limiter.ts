import type { Answer, LimitState } from '../../../runtime/connections/rate-limiter';

/** Each counts a subject of its own: an address, an account or a key. */
export type Zone =
  | 'tracking'
  | 'conversions'
  | 'auth'
  | 'reload'
  | 'general'
  | 'waitlist'
  | 'erasure'
  | 'resend';

export interface Subject {
  zone: Zone;
  subject: string;
}

export interface Limiter {
  /** Counts one request; undefined when the zone is off. */
  consume(zone: Zone, subject: string): Promise<LimitState | undefined>;
  /** Counts a request of one of a workspace's keys against what all of them together may send. */
  consumeShared(zone: Zone, workspaceId: string): LimitState | undefined;
  /** Looks without counting; undefined when nothing was counted yet or the zone is off. */
  peek(zone: Zone, subject: string): Promise<LimitState | undefined>;
  /**
   * Looks at the first and, unless that is exceeded, counts in the second, in one trip. Undefined
   * where a zone is off, or nothing was counted.
   */
  consumeUnless(watched: Subject, counted: Subject): Promise<Omit<Answer, 'kept'>>;
}
