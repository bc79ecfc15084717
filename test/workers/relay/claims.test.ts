import { claimWork } from '../../../activities/journal/outbox-claims';
import { endClaim } from '../../../activities/journal/outbox-outcome';
import { newId } from '../../../entities/ids';
import { execute, query } from '../../../entities/database/sql';
import { createClaims } from '../../../workers/relay/claims';
import { useDeps } from '../../support/app';
import { eventually } from '../../support/eventually';
import { outboxOn } from '../../support/workers/outbox-rows';

const deps = useDeps();
beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
});

const { put, delay, rows, claimOf } = outboxOn(() => deps);

describe('a claim', () => {
  it('is for one relay until its lease runs out, and its result counts with its token only', async () => {
    await put('mail', 1);
    const first = await claimWork(deps.db.manager, claimOf());
    expect(first.work).toHaveLength(1);
    expect((await claimWork(deps.db.manager, claimOf())).work).toEqual([]);

    await execute(deps.db.manager, `UPDATE outbox SET lease_until = now() - interval '1 second'`);
    const second = await claimWork(deps.db.manager, claimOf());
    expect(second.work[0]?.attempts).toBe(2);
    const done = {
      done: [first.work[0]?.id ?? 0],
      refused: new Map(),
      deferred: [],
      untouched: [],
    };
    await endClaim(deps.db.manager, first, { ...done, now: deps.clock.now() });
    expect(await rows()).toHaveLength(1);
    await endClaim(deps.db.manager, second, { ...done, now: deps.clock.now() });
    expect(await rows()).toEqual([]);
  });

  it('takes some of each workspace, whatever the backlog of one', async () => {
    const workspaces = [newId(), newId(), newId()];
    await put('mail', 300, workspaces[0]);
    for (const workspaceId of workspaces.slice(1)) await put('mail', 2, workspaceId);

    const oldest = await claimWork(deps.db.manager, claimOf({ limit: 30 }));
    expect(new Set(oldest.work.map(({ workspaceId }) => workspaceId)).size).toBe(1);
    const start = '00000000-0000-0000-0000-000000000000';
    const shared = await claimWork(deps.db.manager, claimOf({ limit: 30, afterWorkspace: start }));
    const byWorkspace = workspaces.map(
      (one) => shared.work.filter(({ workspaceId }) => workspaceId === one).length,
    );
    expect(byWorkspace).toEqual([10, 2, 2]);
  });

  it('reports how far a round has come where all that it looked at is under way', async () => {
    const workspaces = Array.from({ length: 8 }, () => newId()).sort();
    for (const workspaceId of workspaces) await put('mail', 1, workspaceId);
    const claim = (afterWorkspace: string) =>
      claimWork(deps.db.manager, claimOf({ limit: 5, afterWorkspace }));
    const start = '00000000-0000-0000-0000-000000000000';
    expect(await claim(start)).toMatchObject({ work: { length: 5 }, behind: workspaces[4] });
    expect(await claim(start)).toMatchObject({ work: [], behind: workspaces[4] });
    expect(await claim(workspaces[4] ?? '')).toMatchObject({ work: { length: 3 }, behind: null });
  });

  it('touches no index when it leases and gives back', async () => {
    const indexed = await query<{ columns: string; condition: string | null }>(
      deps.db.manager,
      `SELECT string_agg(a.attname, ',' ORDER BY k.n) AS columns,
          pg_get_expr(i.indpred, i.indrelid) AS condition
         FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE i.indrelid = 'outbox'::regclass
        GROUP BY i.indexrelid, i.indpred, i.indrelid ORDER BY columns`,
    );
    expect(indexed).toEqual([
      { columns: 'topic,available_at,id', condition: null },
      { columns: 'topic,id', condition: null },
      { columns: 'topic,workspace_id,available_at,id', condition: null },
    ]);
  });

  it('passes by what is not due yet, and takes it in its turn once it is', async () => {
    const [delayed] = await put('mail', 1);
    await delay();
    const [due] = await put('mail', 1);
    const claim = async (): Promise<string[]> => {
      const { work } = await claimWork(deps.db.manager, claimOf());
      return work.map(({ ref }) => ref);
    };
    expect(await claim()).toEqual([due]);
    deps.clock.advance(61_000);
    expect(await claim()).toEqual([delayed]);
  });
});

describe('the claims of a topic', () => {
  const fresh = { limit: 10, triedBelow: 1_000 };

  it('begin behind what was done, and find what was committed late', async () => {
    await put('mail', 1);
    const claims = createClaims(deps, 'mail', 0);
    expect(claims.since.getTime()).toBe(0);
    const [first] = (await claims.next(fresh)).work;
    const since = claims.since;
    expect(deps.clock.now().getTime() - since.getTime()).toBeLessThan(10_000);

    await execute(deps.db.manager, 'DELETE FROM outbox WHERE id = $1', [first?.id]);
    deps.clock.advance(60_000);
    await eventually(async () => {
      expect((await claims.next(fresh)).work).toEqual([]);
      return claims.since > since || undefined;
    });

    const [late] = await put('mail', 1);
    await execute(deps.db.manager, `UPDATE outbox SET available_at = $1`, [since]);
    const found = await eventually(async () => (await claims.next(fresh)).work[0]);
    expect(found.ref).toBe(late);
  });

  it('stay with what is leased, should its lease run out', async () => {
    const [ref] = await put('mail', 1);
    const claims = createClaims(deps, 'mail', 0);
    await claims.next(fresh);
    deps.clock.advance(600_000);
    expect((await claims.next(fresh)).work).toEqual([]);
    await execute(deps.db.manager, `UPDATE outbox SET lease_until = now() - interval '1 second'`);
    expect((await claims.next(fresh)).work).toMatchObject([{ ref, attempts: 2 }]);
  });
});
