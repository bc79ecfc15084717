import { Client } from 'pg';
import { outboxTopics, type OutboxTopic } from '../../../activities/journal/outbox';
import { newId } from '../../../entities/ids';
import { execute } from '../../../entities/database/sql';
import type { TopicHandler } from '../../../workers/relay/process-claim';
import { startRelay, type RelayHandlers } from '../../../workers/relay/relay';
import { useDeps } from '../../support/app';
import { eventually } from '../../support/eventually';

const deps = useDeps();
beforeAll(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
});

/** Each topic claims once a second, and one look at all of them together comes each 60 to 100 ms. */
const statementsPerSecond = outboxTopics.length + 1_000 / 60;
/** Looks for late rows, and those where a topic begins. */
const room = 1.3;

const passed = (ms: number): Promise<true> => {
  const since = performance.now();
  return eventually(() => Promise.resolve(performance.now() - since > ms || undefined));
};

/** A relay that has done one row of each topic. */
async function startedAndDone(isAwaited: boolean): Promise<ReturnType<typeof startRelay>> {
  let carried = 0;
  const handler: TopicHandler = {
    isAwaited,
    handle(work) {
      carried += work.length;
      return Promise.resolve(work.map(({ id }) => id));
    },
  };
  const handlers = outboxTopics.map((topic): [OutboxTopic, TopicHandler] => [topic, handler]);
  const relay = startRelay(deps, Object.fromEntries(handlers) as RelayHandlers);
  await execute(
    deps.db.manager,
    'INSERT INTO outbox (topic, ref, available_at) SELECT topic, $2, now() FROM unnest($1::text[]) AS topic',
    [outboxTopics, newId()],
  );
  await eventually(() => Promise.resolve(carried === outboxTopics.length || undefined));
  return relay;
}

/** Statements of this process in that time, and as many as idle topics need. */
async function countStatements(ms: number): Promise<{ count: number; most: number }> {
  const statements = jest.spyOn(Client.prototype, 'query');
  const since = performance.now();
  await passed(ms);
  const count = statements.mock.calls.length;
  // The sleeps are at least as long as they should be: a busy machine makes it less.
  const seconds = (performance.now() - since) / 1_000;
  statements.mockRestore();
  return { count, most: seconds * statementsPerSecond * room + outboxTopics.length };
}

it('looks at the database a few times a second, once its work is done', async () => {
  const relay = await startedAndDone(true);
  // An awaited topic that had work is polled often for five seconds.
  await passed(6_500);
  const { count, most } = await countStatements(4_000);
  await relay.stop();
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(most);
});

it('polls a topic for which nobody waits no more often after its work', async () => {
  const relay = await startedAndDone(false);
  const { count, most } = await countStatements(2_000);
  await relay.stop();
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(most);
});
