import { newId } from '../../../entities/ids';
import type { Mode } from '../../../entities/rules/values/mode';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { minimalProgram as minimal } from '../../support/shops/minimal-program';
import { useApp } from '../../support/app';

const app = useApp();
let owner: BuiltMember;

beforeAll(async () => {
  owner = await buildMember(app.deps.db.manager);
});

describe.each<Mode>(['test', 'live'])('programmes in %s mode', (mode) => {
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

describe('who may do what (programmes.md, Access)', () => {
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
      group: { name: 'Default' },
      mode: program.mode,
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
