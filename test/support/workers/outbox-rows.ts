import { noWorkspace, type OutboxTopic } from '../../../activities/journal/outbox';
import type { ClaimOptions } from '../../../activities/journal/outbox-claims';
import { newId } from '../../../entities/ids';
import { execute, query } from '../../../entities/database/sql';
import type { TestDeps } from '../app';

export interface OutboxRow {
  id: number;
  ref: string;
  attempts: number;
  leased: boolean;
  waitMs: number;
  errorCode: string | null;
}

/** What tests of relays do with the outbox of a process that is open once the tests run. */
export const outboxOn = (deps: () => TestDeps) => ({
  /** Puts rows of a topic that can be claimed at once; gives their refs. */
  put: async (topic: OutboxTopic, count: number, workspaceId = noWorkspace): Promise<string[]> => {
    const refs = Array.from({ length: count }, () => newId());
    await execute(
      deps().db.manager,
      `INSERT INTO outbox (topic, ref, workspace_id, available_at, created_at)
       SELECT $1, ref, $3, $4, $4 FROM unnest($2::uuid[]) WITH ORDINALITY AS r (ref, n) ORDER BY n`,
      [topic, refs, workspaceId, new Date(deps().clock.now().getTime() - 1_000)],
    );
    return refs;
  },

  /** All rows wait for a minute. */
  delay: async (): Promise<void> => {
    await execute(
      deps().db.manager,
      `UPDATE outbox SET available_at = created_at + interval '61 seconds'`,
    );
  },

  rows: (now = deps().clock.now()): Promise<OutboxRow[]> =>
    query<OutboxRow>(
      deps().db.manager,
      `SELECT id, ref, attempts, lease_until > now() IS TRUE AS leased, error_code AS "errorCode",
         extract(epoch FROM available_at - $1::timestamptz)::float8 * 1000 AS "waitMs"
         FROM outbox ORDER BY id`,
      [now],
    ),

  claimOf: (options: Partial<ClaimOptions> = {}): ClaimOptions => ({
    topic: 'mail',
    now: deps().clock.now(),
    limit: 10,
    since: new Date(0),
    triedBelow: 1_000,
    afterWorkspace: null,
    ...options,
  }),
});
