import { newId } from '../../../entities/ids';
import { query } from '../../../entities/database/sql';
import type { Db } from '../../../entities/database/sql';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import type { Caller } from '../../support/api-client';
import { minimalProgram as minimal } from '../../support/shops/minimal-program';
import { useApp } from '../../support/app';
import { participantShops } from '../../support/partners/participants';

const app = useApp();
let db: Db;
let owner: BuiltMember;

beforeAll(async () => {
  db = app.deps.db.manager;
  owner = await buildMember(db);
});

const { openShop, join } = participantShops(() => app);

describe('changing a programme', () => {
  let api: Caller;

  beforeAll(async () => {
    api = await callerOf(app, owner);
  });

  it('changes only what is given, and replaces the terms as a whole', async () => {
    const { workspaceId } = owner;
    const program = await buildProgram(app.deps.db.manager, {
      workspaceId,
      basis: 'net',
      recurring: true,
      recurringMonths: 3,
      createdAt: new Date('2026-01-01T00:00:00Z'),
    });

    const changed = await api.patch(`/api/v1/programs/${program.id}`, {
      description: 'New',
      status: 'paused',
      commission: { type: 'percentage', rateBps: 500 },
    });

    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      name: program.name,
      description: 'New',
      status: 'paused',
      commission: { rateBps: 500, basis: 'gross', recurring: false, recurringMonths: null },
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    expect(changed.body['updatedAt']).not.toBe('2026-01-01T00:00:00.000Z');
    const read = await api.get(`/api/v1/programs/${program.id}`);
    expect(read.body).toEqual(changed.body);
  });

  it('clears what may be null', async () => {
    const { workspaceId } = owner;
    const program = await buildProgram(app.deps.db.manager, {
      workspaceId,
      description: 'Old',
      reviewAboveCents: 5,
    });
    const changed = await api.patch(`/api/v1/programs/${program.id}`, {
      description: null,
      reviewAboveCents: null,
    });
    expect(changed.body).toMatchObject({ description: null, reviewAboveCents: null });
  });

  it('archives once, and refuses every change afterwards', async () => {
    const program = await buildProgram(app.deps.db.manager, { workspaceId: owner.workspaceId });
    const path = `/api/v1/programs/${program.id}`;

    const archived = await api.post(`${path}/archive`);
    const refused = await Promise.all([
      api.post(`${path}/archive`),
      api.patch(path, { name: 'New' }),
      api.patch(path, { status: 'active' }),
      api.put(`${path}/commission-rules`, { rules: [] }),
      api.post(`${path}/invites`, { email: 'anna@partner.example' }),
    ]);

    expect(archived.status).toBe(200);
    expect(archived.body['status']).toBe('archived');
    expect(refused.map((response) => response.status)).toEqual([409, 409, 409, 409, 409]);
    expect(new Set(refused.map((response) => response.body['code']))).toEqual(
      new Set(['PROGRAM_ARCHIVED']),
    );
    const read = await api.get(path);
    expect(read.body['name']).toBe(program.name);
  });

  it('archives exactly once when asked several times at once', async () => {
    const program = await buildProgram(app.deps.db.manager, { workspaceId: owner.workspaceId });
    const path = `/api/v1/programs/${program.id}/archive`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.post(path)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('writes an audit row for each change', async () => {
    const created = await api.post('/api/v1/programs', minimal);
    const id = created.body['id'];
    await api.patch(`/api/v1/programs/${id}`, { name: 'Other' });
    await api.put(`/api/v1/programs/${id}/commission-rules`, { rules: [] });
    await api.post(`/api/v1/programs/${id}/archive`);

    const rows = await query<{ action: string; actorId: string }>(
      app.deps.db.manager,
      `SELECT action, actor_id AS "actorId" FROM audit_log
        WHERE target_id = $1 ORDER BY created_at, id`,
      [id],
    );

    expect(rows.map((row) => row.action)).toEqual([
      'program.created',
      'program.updated',
      'program.rules_replaced',
      'program.archived',
    ]);
    expect(new Set(rows.map((row) => row.actorId))).toEqual(new Set([owner.id]));
  });

  it('fixes the currency of the programme once there is a commission', async () => {
    const shop = await openShop();
    const owner = await buildMember(db, { workspaceId: shop.program.workspaceId });
    const api = await callerOf(app, owner);
    const path = `/api/v1/programs/${shop.program.id}`;

    expect((await api.patch(path, { currency: 'EUR' })).body['currency']).toBe('eur');
    await buildCommission(db, { participant: await join(shop), conversionCurrency: 'eur' });

    const refused = await api.patch(path, { currency: 'usd', name: 'Other' });
    const same = await api.patch(path, { currency: 'eur', name: 'Renamed' });

    expect([refused.status, refused.body['code']]).toEqual([409, 'PROGRAM_CURRENCY_FIXED']);
    expect(same.body).toMatchObject({ currency: 'eur', name: 'Renamed' });
  });
});

describe('who may do what', () => {
  it('refuses writes of viewers and members, and looks nothing up before', async () => {
    const { workspaceId } = owner;
    for (const role of ['viewer', 'member'] as const) {
      const api = await callerOf(
        app,
        await buildMember(app.deps.db.manager, { workspaceId, role }),
      );
      const answers = await Promise.all([
        api.post('/api/v1/programs', minimal),
        api.patch(`/api/v1/programs/${newId()}`, { name: 'x' }),
        api.post(`/api/v1/programs/${newId()}/archive`),
        api.put(`/api/v1/programs/${newId()}/commission-rules`, { rules: [] }),
      ]);
      expect(answers.map((answer) => answer.body['code'])).toEqual(Array(4).fill('FORBIDDEN'));
      expect((await api.get('/api/v1/programs')).status).toBe(200);
    }
  });
});
