import { claimWork } from '../../../activities/journal/outbox-claims';
import { newId } from '../../../entities/ids';
import { execute } from '../../../entities/database/sql';
import { createCursor, findLate } from '../../../workers/relay/outbox-cursor';
import { openTestDeps, type TestDeps } from '../../support/app';
import { outboxOn } from '../../support/workers/outbox-rows';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
});

const { put, delay, rows, claimOf } = outboxOn(() => deps);

describe('what a relay looks at often', () => {
  it('begins after rows that are delayed, and not after those that are leased', async () => {
    await put('mail', 1);
    await delay();
    await put('mail', 3);
    await claimWork(deps.db.manager, claimOf({ kind: 'fresh', limit: 1 }));
    const cursor = createCursor(-1);
    const from = async (): Promise<number> => {
      await cursor.advance(deps.db.manager, 'mail');
      return cursor.fresh;
    };
    const first = (await rows())[1]?.id ?? 0;
    // The look before the last counts as well.
    expect([await from(), await from()]).toEqual([0, first]);
    expect(await findLate(deps.db.manager, 'mail', cursor)).toBe(false);

    await execute(deps.db.manager, 'DELETE FROM outbox WHERE id = $1', [first]);
    expect([await from(), await from()]).toEqual([first, first + 1]);
    await execute(
      deps.db.manager,
      `INSERT INTO outbox (topic, id, ref, available_at, created_at) OVERRIDING SYSTEM VALUE
       VALUES ('mail', $1, $2, now(), now())`,
      [first, newId()],
    );
    expect(await from()).toBe(first + 1);
    expect(await findLate(deps.db.manager, 'mail', cursor)).toBe(true);
    expect(cursor.fresh).toBe(first);
  });
});
