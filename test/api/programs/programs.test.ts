import { newId } from '../../../entities/ids';
import type { Mode } from '../../../entities/rules/values/mode';
import { query } from '../../../entities/database/sql';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import type { ApiResponse, Caller } from '../../support/api-client';
import { startTestApp, type TestApp } from '../../support/app';

let app: TestApp;
let owner: BuiltMember;

beforeAll(async () => {
  app = await startTestApp();
  owner = await buildMember(app.deps.db.manager);
});

afterAll(() => app.close());

const minimal = {
  name: 'Tea shop',
  websiteUrl: 'https://tea.example',
  commission: { type: 'percentage', rateBps: 2_000 },
};

interface Details {
  code: string;
  details: { field: string; message: string }[];
}

function fieldsOf(response: ApiResponse): string[] {
  return (response.body as unknown as Details).details.map((detail) => detail.field);
}

describe.each<Mode>(['test', 'live'])('programmes in %s mode', (mode) => {
  let api: Caller;

  beforeAll(async () => {
    api = await callerOf(app, await buildMember(app.deps.db.manager), mode);
  });

  it('creates one with the defaults of the contract', async () => {
    const created = await api.post('/api/v1/programs', minimal);

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/programs/${created.body['id']}`);
    expect(created.body).toMatchObject({
      mode,
      name: 'Tea shop',
      websiteUrl: 'https://tea.example',
      description: null,
      currency: 'usd',
      status: 'active',
      attributionWindowDays: 30,
      approvalMode: 'manual',
      publicApplications: true,
      commission: {
        type: 'percentage',
        rateBps: 2_000,
        amountCents: null,
        basis: 'gross',
        recurring: false,
        recurringMonths: null,
      },
      holdDays: 30,
      autoApprove: true,
      acceptedCurrencies: [],
      reviewAboveCents: null,
      minPayoutCents: 0,
    });
  });

  it('keeps every field that is given, and reads it back', async () => {
    const full = {
      name: '  Coffee  ',
      websiteUrl: 'http://coffee.example:8080/shop',
      description: "'; DROP TABLE programs; -- <script>",
      currency: 'JPY',
      status: 'draft',
      attributionWindowDays: 365,
      approvalMode: 'auto',
      publicApplications: false,
      commission: { type: 'flat', amountCents: 1, recurring: true, recurringMonths: 120 },
      holdDays: 0,
      autoApprove: false,
      acceptedCurrencies: ['EUR', 'usd'],
      reviewAboveCents: 50_000,
      minPayoutCents: 1_000,
    };

    const created = await api.post('/api/v1/programs', full);
    const read = await api.get(`/api/v1/programs/${created.body['id']}`);

    expect(created.status).toBe(201);
    expect(read.body).toEqual(created.body);
    expect(read.body).toMatchObject({
      ...full,
      name: 'Coffee',
      currency: 'jpy',
      commission: { ...full.commission, rateBps: null, basis: null },
      acceptedCurrencies: ['eur', 'usd'],
    });
  });

  it('lists them newest first, and no page repeats or skips one', async () => {
    const lister = await callerOf(app, await buildMember(app.deps.db.manager), mode);
    const ids: unknown[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift((await lister.post('/api/v1/programs', minimal)).body['id']);
    }

    const pages = await Promise.all(
      [1, 2, 3].map((page) =>
        lister.get<{ data: { id: string }[]; total: number; page: number; limit: number }>(
          `/api/v1/programs?page=${page}&limit=2`,
        ),
      ),
    );

    expect(pages.flatMap((page) => page.body.data.map((program) => program.id))).toEqual(ids);
    expect(pages[1]?.body).toMatchObject({ total: 5, page: 2, limit: 2 });
  });
});

describe('what a programme refuses', () => {
  let api: Caller;

  beforeAll(async () => {
    api = await callerOf(app, owner);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'a rate above 100 %',
      { commission: { type: 'percentage', rateBps: 10_001 } },
      ['commission.rateBps'],
    ],
    [
      'a rate of nothing',
      { commission: { type: 'percentage', rateBps: 0 } },
      ['commission.rateBps'],
    ],
    ['a broken rate', { commission: { type: 'percentage', rateBps: 1.5 } }, ['commission.rateBps']],
    [
      'a rate as text',
      { commission: { type: 'percentage', rateBps: '5' } },
      ['commission.rateBps'],
    ],
    ['a percentage without a rate', { commission: { type: 'percentage' } }, ['commission.rateBps']],
    ['flat without an amount', { commission: { type: 'flat' } }, ['commission.amountCents']],
    [
      'flat for nothing',
      { commission: { type: 'flat', amountCents: 0 } },
      ['commission.amountCents'],
    ],
    [
      'a basis on flat',
      { commission: { type: 'flat', amountCents: 5, basis: 'net' } },
      ['commission.basis'],
    ],
    [
      'months without recurring',
      { commission: { type: 'percentage', rateBps: 5, recurringMonths: 12 } },
      ['commission.recurringMonths'],
    ],
    [
      'too many months',
      { commission: { type: 'percentage', rateBps: 5, recurring: true, recurringMonths: 121 } },
      ['commission.recurringMonths'],
    ],
    ['an unknown type', { commission: { type: 'share' } }, ['commission.type']],
    [
      'an unknown field of the terms',
      { commission: { type: 'flat', amountCents: 5, x: 1 } },
      ['commission.x'],
    ],
    ['terms that are no object', { commission: 'free' }, ['commission']],
    ['null terms', { commission: null }, ['commission']],
    ['no name', { name: '   ' }, ['name']],
    ['a long name', { name: 'x'.repeat(201) }, ['name']],
    ['a NUL', { name: 'a\0b' }, ['name']],
    ['a relative website', { websiteUrl: 'tea.example' }, ['websiteUrl']],
    ['a website with a password', { websiteUrl: 'https://a:b@tea.example' }, ['websiteUrl']],
    ['another scheme', { websiteUrl: 'ftp://tea.example' }, ['websiteUrl']],
    ['an unknown currency', { currency: 'zzz' }, ['currency']],
    ['a window of no day', { attributionWindowDays: 0 }, ['attributionWindowDays']],
    ['a window of 366 days', { attributionWindowDays: 366 }, ['attributionWindowDays']],
    ['a hold of 366 days', { holdDays: 366 }, ['holdDays']],
    ['archiving by a field', { status: 'archived' }, ['status']],
    ['another approval mode', { approvalMode: 'none' }, ['approvalMode']],
    ['null where null means nothing', { holdDays: null }, ['holdDays']],
    ['a repeated currency', { acceptedCurrencies: ['eur', 'EUR'] }, ['acceptedCurrencies']],
    ['a negative limit', { reviewAboveCents: -1 }, ['reviewAboveCents']],
    ['an unknown field', { color: 'red' }, ['color']],
    [
      'a field that every object inherits',
      { toString: 1, constructor: {} },
      ['constructor', 'toString'],
    ],
    [
      'a nested one',
      { commission: { type: 'flat', amountCents: 5, valueOf: 1 } },
      ['commission.valueOf'],
    ],
    ['a name of 201 characters', { name: '\u{1f600}'.repeat(201) }, ['name']],
    ['several things at once', { name: 5, holdDays: 'x' }, ['holdDays', 'name']],
  ])('%s', async (_name, fields, expected) => {
    const response = await api.post('/api/v1/programs', { ...minimal, ...fields });
    expect(response.status).toBe(400);
    expect(response.body['code']).toBe('VALIDATION_ERROR');
    expect(fieldsOf(response).sort()).toEqual(expected);
  });

  it('names each field that is missing', async () => {
    const response = await api.post('/api/v1/programs', {});
    expect(fieldsOf(response).sort()).toEqual(['commission', 'name', 'websiteUrl']);
  });
});

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
});

describe('commission rules', () => {
  const rule = {
    name: 'Big orders',
    match: { eventTypes: ['purchase'], currencies: ['EUR'], minAmountCents: 0 },
    type: 'percentage',
    rateBps: 2_500,
  };
  let api: Caller;
  let path: string;

  beforeAll(async () => {
    api = await callerOf(app, owner);
    const program = await buildProgram(app.deps.db.manager, { workspaceId: owner.workspaceId });
    path = `/api/v1/programs/${program.id}/commission-rules`;
  });

  it('begins empty, keeps the order, and what GET gives can be put back', async () => {
    const before = await api.get(path);
    const flat = {
      name: 'Rest',
      match: {},
      type: 'flat',
      amountCents: 500,
      holdDays: 0,
      autoApprove: false,
    };

    const stored = await api.put(path, { rules: [rule, flat] });
    const again = await api.put(path, (await api.get(path)).body);

    expect(before.body).toEqual({ rules: [] });
    expect(stored.status).toBe(200);
    expect(stored.body).toEqual({
      rules: [
        {
          ...rule,
          match: { ...rule.match, currencies: ['eur'] },
          amountCents: null,
          basis: 'gross',
          holdDays: null,
          autoApprove: null,
        },
        { ...flat, rateBps: null, basis: null },
      ],
    });
    expect(again.body).toEqual(stored.body);
  });

  it.each<[string, unknown, string[]]>([
    [
      'a basis on flat',
      [rule, { name: 'x', match: {}, type: 'flat', amountCents: 5, basis: 'net' }],
      ['rules[1].basis'],
    ],
    [
      'a negative least amount',
      [rule, { ...rule, match: { minAmountCents: -1 } }],
      ['rules[1].match.minAmountCents'],
    ],
    [
      'an id that is none',
      [{ ...rule, match: { participantIds: ['x'] } }],
      ['rules[0].match.participantIds'],
    ],
    ['an empty condition', [{ ...rule, match: { eventTypes: [] } }], ['rules[0].match.eventTypes']],
    ['an unknown condition', [{ ...rule, match: { country: 'de' } }], ['rules[0].match.country']],
    ['no match', [{ name: 'x', type: 'flat', amountCents: 5 }], ['rules[0].match']],
    ['a rate too high', [{ ...rule, rateBps: 10_001 }], ['rules[0].rateBps']],
    ["recurring, which is the programme's", [{ ...rule, recurring: true }], ['rules[0].recurring']],
    ['51 rules', Array.from({ length: 51 }, () => rule), ['rules']],
    ['no list', 'none', ['rules']],
    ['a list of texts', ['x'], ['rules']],
  ])('refuses %s, and keeps the old list', async (_name, rules, fields) => {
    await api.put(path, { rules: [rule] });
    const response = await api.put(path, { rules });
    expect(response.status).toBe(400);
    expect(fieldsOf(response)).toEqual(expect.arrayContaining(fields));
    const kept = await api.get<{ rules: unknown[] }>(path);
    expect(kept.body.rules).toHaveLength(1);
  });

  it('takes 50 rules', async () => {
    const stored = await api.put<{ rules: unknown[] }>(path, {
      rules: Array.from({ length: 50 }, () => rule),
    });
    expect(stored.body.rules).toHaveLength(50);
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

  it('tells another workspace 403, the other mode and nonsense 404', async () => {
    const db = app.deps.db.manager;
    const api = await callerOf(app, owner);
    const foreign = await buildProgram(db);
    const foreignTest = await buildProgram(db, { mode: 'test' });
    const own = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });

    const codes = await Promise.all(
      [foreign.id, foreignTest.id, own.id, newId(), 'nonsense'].map(
        async (id) => (await api.get(`/api/v1/programs/${id}`)).body['code'],
      ),
    );

    expect(codes).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
      'PROGRAM_NOT_FOUND',
      'PROGRAM_NOT_FOUND',
      'PROGRAM_NOT_FOUND',
    ]);
  });

  it('asks for a credential', async () => {
    const response = await app.client.get('/api/v1/programs');
    expect(response.status).toBe(401);
  });
});

describe('the public read', () => {
  it('shows an active programme that takes applications, of either mode', async () => {
    const program = await buildProgram(app.deps.db.manager, { mode: 'test', description: 'Tea' });
    const read = await app.client.get(`/api/v1/public/programs/${program.id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      id: program.id,
      name: 'Demo shop',
      websiteUrl: 'https://shop.example',
      description: 'Tea',
      currency: 'usd',
      attributionWindowDays: 30,
      approvalMode: 'manual',
      commission: {
        type: 'percentage',
        rateBps: 2_000,
        amountCents: null,
        basis: 'gross',
        recurring: false,
        recurringMonths: null,
      },
      holdDays: 30,
    });
  });

  it('shows no other', async () => {
    const db = app.deps.db.manager;
    const hidden = await Promise.all([
      buildProgram(db, { status: 'draft' }),
      buildProgram(db, { status: 'paused' }),
      buildProgram(db, { status: 'archived' }),
      buildProgram(db, { publicApplications: false }),
    ]);
    for (const id of [...hidden.map((program) => program.id), newId(), 'x']) {
      const read = await app.client.get(`/api/v1/public/programs/${id}`);
      expect(read.body['code']).toBe('PROGRAM_NOT_FOUND');
    }
  });
});
