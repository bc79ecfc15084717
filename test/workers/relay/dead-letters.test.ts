import { maxAttempts } from '../../../activities/journal/outbox-outcome';
import { systemCause } from '../../../activities/journal/cause';
import { listDeadWork, retryDeadWork } from '../../../activities/journal/outbox-dead';
import { newId } from '../../../entities/ids';
import { execute } from '../../../entities/database/sql';
import type { TopicHandler } from '../../../workers/relay/process-claim';
import { outboxFigures } from '../../../activities/figures/outbox';
import { relayOnce } from '../../support/workers/relay-once';
import { useDeps } from '../../support/app';
import { outboxOn } from '../../support/workers/outbox-rows';

const deps = useDeps();
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
  await execute(deps.db.manager, 'DELETE FROM outbox_dead');
});

const { put, rows } = outboxOn(() => deps);

describe('dead letters', () => {
  it('take a row out after its attempts; a retry queues it again from the start', async () => {
    const workspaceId = newId();
    const [ref = ''] = await put('stripe_event', 1, workspaceId);
    const refuse: TopicHandler = {
      handle: (work, report) => {
        work.forEach(({ id }) => report.refused(id, 'GRPC_3'));
        return Promise.resolve([]);
      },
    };
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      deps.clock.advance(301_000);
      await relayOnce(deps, 'stripe_event', refuse);
    }
    expect(await rows()).toEqual([]);
    expect(await listDeadWork(deps.db.manager, 'mail')).toEqual([]);
    const [dead] = await listDeadWork(deps.db.manager);
    expect(dead).toMatchObject({ topic: 'stripe_event', ref, workspaceId, errorCode: 'GRPC_3' });
    expect(dead?.attempts).toBe(maxAttempts);
    const samples = await outboxFigures.read(deps.db.manager, { now: new Date(), clickMonths: 0 });
    const labels = { topic: 'stripe_event' };
    expect(samples).toContainEqual({ name: 'outbox_dead', labels, value: 1 });

    const now = deps.clock.now();
    expect(await retryDeadWork(deps.db.manager, systemCause(now), { id: dead?.id ?? '' })).toBe(1);
    expect(await rows()).toMatchObject([{ ref, attempts: 0 }]);
    expect(await listDeadWork(deps.db.manager)).toEqual([]);
  });
});

describe('dead letters of the same work', () => {
  const refuse = (code: string): TopicHandler => ({
    handle: (work, report) => {
      work.forEach(({ id }) => report.refused(id, code));
      return Promise.resolve([]);
    },
  });
  const die = async (code: string): Promise<void> => {
    await execute(deps.db.manager, 'UPDATE outbox SET attempts = $1', [maxAttempts - 1]);
    await relayOnce(deps, 'test_reset', refuse(code));
    expect(await rows()).toEqual([]);
  };

  it('are one row, the latest, with how often and since when it died', async () => {
    const [ref = ''] = await put('test_reset', 1);
    await die('GRPC_3');
    const [first] = await listDeadWork(deps.db.manager);
    expect(first).toMatchObject({ ref, times: 1, firstDiedAt: first?.diedAt });

    for (let time = 2; time <= 3; time += 1) {
      deps.clock.advance(3_600_000);
      await put('test_reset', 1);
      await execute(deps.db.manager, 'UPDATE outbox SET ref = $1', [ref]);
      await die('GRPC_5');
    }
    const [dead, ...others] = await listDeadWork(deps.db.manager);
    const { id, diedAt = 0 } = first ?? {};
    expect(dead).toMatchObject({ id, ref, errorCode: 'GRPC_5', times: 3, firstDiedAt: diedAt });
    expect(Number(dead?.diedAt)).toBeGreaterThanOrEqual(Number(diedAt) + 7_200_000);
    expect(others).toEqual([]);

    await put('test_reset', 2);
    await execute(deps.db.manager, 'UPDATE outbox SET ref = $1', [ref]);
    await execute(
      deps.db.manager,
      `UPDATE outbox SET payload = '{"mode": "test"}' WHERE id = (SELECT max(id) FROM outbox)`,
    );
    await die('GRPC_5');
    const times = (await listDeadWork(deps.db.manager)).map((one) => one.times);
    expect(times.toSorted((a, b) => a - b)).toEqual([1, 4]);
  });
});
