import { setTimeout as pause } from 'node:timers/promises';
import { systemCause, type CommandContext } from '../../../activities/journal/cause';
import { advanceRetries, type RetriesState } from '../../../activities/webhooks/delivery/clock';
import type { Scope } from '../../../entities/rules/values/mode';
import { countFrom, execute } from '../../../entities/database/sql';
import type { Stoppable } from '../../../runtime/process/process';
import { startWebhookDispatcher } from '../../../workers/dispatcher/dispatcher';
import { openTestDeps, type TestDeps } from '../app';
import { buildMember } from '../build/accounts';
import { seeDeliveries, type SeenDelivery } from '../build/webhooks';
import { asOwner } from '../database';
import { eventually } from '../eventually';
import { startSink, type Sink } from '../sink';

/** What each test about dispatchers has to itself; the connections are those of its file. */
export interface DispatchingWorld {
  readonly deps: TestDeps;
  readonly sink: Sink;
  readonly scope: Scope;
  context(): CommandContext;
  /** The dispatcher of this test, which ends with it. */
  start(options?: { pollMs?: number }): void;
  stop(): Promise<void>;
  /** Waits until the rows of an endpoint are as a test wants them. */
  settled(endpointId: string, done: (rows: SeenDelivery[]) => boolean): Promise<SeenDelivery[]>;
  /**
   * Lets time pass and advances the clock of the endpoint's retries, as its workflow does. Returns what
   * the clock shows once all that was due has been sent and recorded.
   */
  later(endpointId: string, ms: number): Promise<RetriesState>;
}

export const allAre =
  (status: string) =>
  (rows: { status: string }[]): boolean =>
    rows.length > 0 && rows.every((row) => row.status === status);

/** A receiver, a workspace and no dispatcher yet, for each test of the file that calls this. */
export function dispatchingWorld(env: Record<string, string> = {}): DispatchingWorld {
  let deps: TestDeps;
  let sink: Sink;
  let scope: Scope;
  let dispatcher: Stoppable | undefined;

  const stop = async (): Promise<void> => {
    await dispatcher?.stop();
    dispatcher = undefined;
  };

  beforeAll(async () => {
    deps = await openTestDeps({
      WEBHOOK_TIMEOUT_MS: '400',
      WEBHOOK_BREAKER_FAILURES: '5',
      WEBHOOK_RETRY_SCHEDULE: '0s,5s,5m',
      ...env,
    });
  });
  afterAll(() => deps.close());

  beforeEach(async () => {
    deps.clock.set(undefined);
    const member = await buildMember(deps.db.manager);
    scope = { workspaceId: member.workspaceId, mode: 'test' };
    sink = await startSink();
  });
  afterEach(async () => {
    await stop();
    await asOwner(deps.config.databaseUrl, 'DELETE FROM webhook_deliveries');
    await execute(deps.db.manager, `UPDATE webhook_endpoints SET failures_in_row = 0`);
    await sink.close();
  });

  /** What can be sent now, or is under way. */
  const unsettled = (endpointId: string): Promise<number> =>
    countFrom(
      deps.db.manager,
      `webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE e.id = $1 AND d.status IN ('pending', 'retrying') AND e.active_since IS NOT NULL
          AND (d.lease_until >= now() OR d.id = e.probe_id
               OR (d.next_attempt_at <= $2 AND e.failures_in_row < $3))`,
      [endpointId, deps.clock.now(), deps.config.webhooks.breakerFailures],
    );

  return {
    get deps() {
      return deps;
    },
    get sink() {
      return sink;
    },
    get scope() {
      return scope;
    },
    context: () => ({ scope, ...systemCause(deps.clock.now()) }),
    start(options = { pollMs: 100 }) {
      dispatcher = startWebhookDispatcher(deps, options);
    },
    stop,
    async later(endpointId, ms) {
      deps.clock.advance(ms);
      await advanceRetries(deps, endpointId);
      await eventually(async () => (await unsettled(endpointId)) === 0 || undefined);
      return advanceRetries(deps, endpointId);
    },
    async settled(endpointId, done) {
      for (let turn = 0; turn < 800; turn += 1) {
        const rows = await seeDeliveries(deps, endpointId);
        if (done(rows)) return rows;
        await pause(25);
      }
      throw new Error(`not settled: ${JSON.stringify(await seeDeliveries(deps, endpointId))}`);
    },
  };
}
