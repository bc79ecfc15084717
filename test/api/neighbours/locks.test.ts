import { Client } from 'pg';
import { aliasLockKey } from '../../../activities/conversions/alias-locks';
import { newId } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { ApiResponse, Caller } from '../../support/api-client';
import { buildApiKey, buildMember, signIn } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import { within } from '../../support/eventually';

/**
 * What a neighbour may have to wait while somebody else's rows are locked: some 100 ms, and room for
 * a busy machine. Without isolation it is the 5 s of the pool's lock timeout.
 */
const neighbourWithinMs = 2_500;

const app = useApp();
let db: Db;
let holder: Client;

beforeAll(async () => {
  db = app.deps.db.manager;
});

beforeEach(async () => {
  holder = new Client({ connectionString: app.deps.config.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
});
afterEach(() => holder.end());

interface Tenant {
  workspaceId: string;
  sell(id: string): Promise<ApiResponse>;
}

async function buildTenant(isBare = false): Promise<Tenant> {
  const key = await buildApiKey(db, { mode: 'test' });
  const { workspaceId } = key;
  const program = await buildProgram(db, { workspaceId, mode: 'test' });
  const { code } = await buildPromoCode(db, await buildParticipant(db, { program }));
  const caller = app.client.as(key.key);
  const sell = (id: string): Promise<ApiResponse> =>
    caller.post(
      '/api/v1/conversions',
      { external_transaction_id: id, event_type: 'purchase', promo_code: code },
      { isBare },
    );
  await sell(newId());
  return { workspaceId, sell };
}

/** An id whose conversion is not committed yet, as an event's transaction leaves it. */
async function holdAlias(workspaceId: string, alias: string): Promise<void> {
  await holder.query(
    `SELECT pg_advisory_xact_lock(${aliasLockKey('$1::text', "'test'", '$2::text')})`,
    [workspaceId, alias],
  );
  await holder.query(
    `INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
     VALUES ($1, 'test', $2, $3)`,
    [workspaceId, alias, newId()],
  );
}

describe.each([
  ['without an Idempotency-Key', true],
  ['with one', false],
])('the id of a payment that one tenant holds, reported %s', (_, isBare) => {
  it('does not hold up a neighbour that reports at the same moment', async () => {
    const [mallory, nancy] = [await buildTenant(isBare), await buildTenant(isBare)];
    await holdAlias(mallory.workspaceId, 'order-1');
    const held = mallory.sell('order-1');
    const sale = await within(neighbourWithinMs, nancy.sell('order-2'));

    expect(sale.status).toBe(201);
    await holder.query('ROLLBACK');
    expect((await held).status).toBe(201);
  });

  it('holds up no later sale of a neighbour either, however often it is met', async () => {
    const [mallory, nancy] = [await buildTenant(isBare), await buildTenant(isBare)];
    await holdAlias(mallory.workspaceId, 'order-1');
    const held = Array.from({ length: 20 }, () => mallory.sell('order-1'));
    await nancy.sell('first');
    for (let sale = 0; sale < 10; sale += 1) {
      const result = await within(neighbourWithinMs, nancy.sell(`order-${sale}`));
      expect(result.status).toBe(201);
    }
    await holder.query('ROLLBACK');
    const statuses = (await Promise.all(held)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it('leaves connections to others when a payment of a processor is locked', async () => {
    const [mallory, nancy] = [await buildTenant(isBare), await buildTenant(isBare)];
    await holdAlias(mallory.workspaceId, 'pi_1');
    const held = Array.from({ length: 20 }, () => mallory.sell('pi_1'));
    for (let sale = 0; sale < 5; sale += 1) {
      const result = await within(neighbourWithinMs, nancy.sell(`pi_nancy_${sale}`));
      expect(result.status).toBe(201);
    }
    await holder.query('ROLLBACK');
    expect((await Promise.all(held)).filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe('a row lock that one tenant holds (requests.md, Neighbours)', () => {
  it('does not hold up the decisions of a neighbour', async () => {
    const [mallory, nancy] = [await buildDecider(), await buildDecider()];
    await holder.query('SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [
      mallory.commissionIds[0],
    ]);
    const held = mallory.reject(0);
    for (const [index] of nancy.commissionIds.entries()) {
      const result = await within(neighbourWithinMs, nancy.reject(index));
      expect(result.status).toBe(200);
    }
    await holder.query('ROLLBACK');
    expect((await held).status).toBe(200);
  });

  it('takes no more than its share of the pool with requests of its own', async () => {
    const [mallory, nancy] = [await buildDecider(), await buildDecider()];
    await holder.query('SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [
      mallory.commissionIds[0],
    ]);
    const held = Array.from({ length: 20 }, () => mallory.rejectInBulk(0));
    for (let turn = 0; turn < 5; turn += 1) {
      const result = await within(neighbourWithinMs, nancy.rejectInBulk(turn));
      expect(result.status).toBe(200);
    }
    await holder.query('ROLLBACK');
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toHaveLength(0);
  });

  it('leaves a connection to a third workspace when the rows of two are locked', async () => {
    const [mallory, malloryToo] = [await buildDecider(), await buildDecider()];
    const nancy = await buildDecider();
    await holder.query('SELECT 1 FROM commissions WHERE id = ANY ($1::uuid[]) FOR UPDATE', [
      [mallory.commissionIds[0], malloryToo.commissionIds[0]],
    ]);
    const held = [mallory, malloryToo].flatMap((one) =>
      Array.from({ length: 10 }, () => one.rejectInBulk(0)),
    );
    for (let turn = 0; turn < 3; turn += 1) {
      const result = await within(neighbourWithinMs, nancy.rejectInBulk(turn));
      expect(result.status).toBe(200);
    }
    await holder.query('ROLLBACK');
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  it('leaves two to others once the requests of many workspaces have waited for one in vain', async () => {
    const attackers = await Promise.all([buildDecider(), buildDecider(), buildDecider()]);
    const nancy = await buildDecider();
    await holder.query('SELECT 1 FROM commissions WHERE id = ANY ($1::uuid[]) FOR UPDATE', [
      attackers.map(({ commissionIds }) => commissionIds[0]),
    ]);
    const inVain = await Promise.all(attackers.map((one) => one.rejectInBulk(0)));
    expect(inVain.map(({ status }) => status)).toEqual([503, 503, 503]);

    const held = attackers.flatMap((one) => Array.from({ length: 4 }, () => one.rejectInBulk(0)));
    for (const turn of [0, 2]) {
      const both = [nancy.rejectInBulk(turn), nancy.rejectInBulk(turn + 1)];
      const result = await within(neighbourWithinMs, Promise.all(both));
      expect(result.map(({ status }) => status)).toEqual([200, 200]);
    }
    await holder.query('ROLLBACK');
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  });
});

interface Decider {
  commissionIds: string[];
  reject(index: number): Promise<ApiResponse>;
  rejectInBulk(index: number): Promise<ApiResponse>;
}

async function buildDecider(): Promise<Decider> {
  const owner = await buildMember(db);
  const program = await buildProgram(db, { workspaceId: owner.workspaceId });
  const participant = await buildParticipant(db, { program });
  const commissionIds: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    commissionIds.push((await buildCommission(db, { program, participant })).id);
  }
  const caller: Caller = app.client.as((await signIn(app.deps, owner)).accessToken);
  const path = `/api/v1/programs/${program.id}/commissions`;
  return {
    commissionIds,
    reject: (index) =>
      caller.patch(`${path}/${commissionIds[index]}/reject`, { reason: 'not a sale' }),
    rejectInBulk: (index) =>
      caller.patch(`${path}/bulk-reject`, {
        commissionIds: [commissionIds[index]],
        reason: 'not a sale',
      }),
  };
}
