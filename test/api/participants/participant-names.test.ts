import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const app = useApp();
let db: Db;
beforeAll(() => {
  db = app.deps.db.manager;
});

const path = '/api/v1/workspace/partners';

interface Names {
  data: { id: string; partnerName: string }[];
  total: number;
}

describe('GET /api/v1/workspace/partners', () => {
  it('names participants of all programmes, found by what is known of them or by id', async () => {
    const tea = await buildProgram(db, { name: 'Tea' });
    const { workspaceId } = tea;
    const coffee = await buildProgram(db, { name: 'Coffee', workspaceId });
    const zoe = await buildParticipant(db, { program: tea, partnerName: 'Zoë' });
    const ann = await buildParticipant(db, { program: coffee, partnerName: 'Ann 100%' });
    const { code } = await buildPromoCode(db, ann);
    const test = await buildProgram(db, { workspaceId, mode: 'test' });
    const inTest = await buildParticipant(db, { program: test, partnerName: 'Ann Test' });
    const stranger = await buildParticipant(db, { partnerName: 'Ann Stranger' });
    const viewer = await buildMember(db, { workspaceId, role: 'viewer' });
    const caller = await callerOf(app, viewer, 'live');
    const names = async (query: string) =>
      (await caller.get<Names>(`${path}?${query}`)).body.data.map((one) => one.partnerName);

    const all = await caller.get<Names>(path);
    expect(all.body).toMatchObject({
      total: 2,
      data: [
        {
          id: ann.id,
          programId: coffee.id,
          programName: 'Coffee',
          partnerName: 'Ann 100%',
          partnerEmail: ann.partnerEmail,
          status: 'approved',
        },
        { id: zoe.id, programName: 'Tea' },
      ],
    });
    expect(await names('search=0%25')).toEqual(['Ann 100%']);
    expect(await names(`search=${code.toLowerCase()}`)).toEqual(['Ann 100%']);
    expect(await names(`search=${zoe.partnerEmail}`)).toEqual(['Zoë']);
    expect(await names(`programId=${tea.id}`)).toEqual(['Zoë']);
    expect(await names(`ids=${zoe.id},${inTest.id},${stranger.id}`)).toEqual(['Zoë']);
    expect((await caller.get(`${path}?programId=${stranger.programId}`)).status).toBe(403);
    expect((await caller.get(`${path}?ids=nonsense`)).status).toBe(400);
  });
});
