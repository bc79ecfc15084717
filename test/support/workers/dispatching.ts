import { setTimeout as pause } from 'node:timers/promises';
import { systemCause, type CommandContext } from '../../../activities/journal/cause';
import type { Scope } from '../../../entities/rules/values/mode';
import { execute } from '../../../entities/database/sql';
import {
  startWebhookDispatcher,
  type Dispatcher,
  type DispatcherOptions,
} from '../../../workers/dispatcher/dispatcher';
import { openTestDeps, type TestDeps } from '../app';
import { buildMember } from '../build/accounts';
import { seeDeliveries, type SeenDelivery } from '../build/webhooks';
import { asOwner } from '../database';
import { startSink, type Sink } from '../sink';

/** What each test about dispatchers has to itself; the connections are those of its file. */
export interface DispatchingWorld {
  readonly deps: TestDeps;
  readonly sink: Sink;
  readonly scope: Scope;
  context(): CommandContext;
  /** The dispatcher of this test, which ends with it. */
  start(options?: DispatcherOptions): void;
  stop(): Promise<void>;
  /** Waits until the rows of an endpoint are as a test wants them. */
  settled(endpointId: string, done: (rows: SeenDelivery[]) => boolean): Promise<SeenDelivery[]>;
}

export const allAre =
  (status: string) =>
  (rows: { status: string }[]): boolean =>
    rows.length > 0 && rows.every((row) => row.status === status);

/** A receiver, a workspace and no dispatcher yet, for each test of the file that calls this. */
export function dispatchingWorld(): DispatchingWorld {
  let deps: TestDeps;
  let sink: Sink;
  let scope: Scope;
  let dispatcher: Dispatcher | undefined;

  const stop = async (): Promise<void> => {
    await dispatcher?.stop();
    dispatcher = undefined;
  };

  beforeAll(async () => {
    deps = await openTestDeps({
      WEBHOOK_TIMEOUT_MS: '400',
      WEBHOOK_BREAKER_FAILURES: '5',
      WEBHOOK_RETRY_SCHEDULE: '0s,5s,5m',
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
