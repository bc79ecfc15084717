import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { callerOf } from '../../support/callers';
import { buildLink, buildProgram } from '../../support/build/programs';
import { participantShops } from '../../support/partners/participants';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

const { openShop, join } = participantShops(() => app);

describe('promo codes', () => {
  it('adds one in upper case, and takes it away in any case', async () => {
    const shop = await openShop();
    const { path } = await join(shop);

    const added = await shop.api.post(`${path}/promo-codes`, { code: 'Summer_24' });
    const removed = await shop.api.delete(`${path}/promo-codes/sUMMER_24`);
    const again = await shop.api.delete(`${path}/promo-codes/SUMMER_24`);

    expect(added.status).toBe(201);
    expect(added.headers.get('location')).toBe(path);
    expect(added.body['promoCodes']).toEqual(['SUMMER_24']);
    expect([removed.status, again.status]).toEqual([204, 404]);
    expect((await shop.api.get(path)).body['promoCodes']).toEqual([]);
  });

  it('lists them by the page, oldest first', async () => {
    const shop = await openShop();
    const { path } = await join(shop);
    for (const code of ['ONE', 'TWO', 'THREE'])
      await shop.api.post(`${path}/promo-codes`, { code });
    interface Listed {
      data: { code: string }[];
      total: number;
      nextCursor: string | null;
    }
    const read = async (query: string): Promise<Listed> =>
      (await shop.api.get<Listed & Record<string, unknown>>(`${path}/promo-codes?${query}`)).body;
    const first = await read('limit=2');
    expect(first).toMatchObject({ data: [{ code: 'ONE' }, { code: 'TWO' }], total: 3 });
    const rest = await read(`limit=2&cursor=${String(first.nextCursor)}`);
    expect(rest).toMatchObject({ data: [{ code: 'THREE' }], nextCursor: null });
  });

  it('gives a code to one participant of a workspace and mode, and is free again once deleted', async () => {
    const shop = await openShop();
    const other = await buildProgram(db, { workspaceId: shop.program.workspaceId });
    const first = await join(shop);
    const second = await join({
      ...shop,
      program: other,
      path: `/api/v1/programs/${other.id}/partners`,
    });

    await shop.api.post(`${first.path}/promo-codes`, { code: 'SALE' });
    const taken = await shop.api.post(`${second.path}/promo-codes`, { code: 'sale' });
    const own = await shop.api.post(`${first.path}/promo-codes`, { code: 'Sale' });
    await shop.api.delete(`${first.path}/promo-codes/SALE`);
    const free = await shop.api.post(`${second.path}/promo-codes`, { code: 'sale' });

    expect([taken.status, own.status, free.status]).toEqual([409, 409, 201]);
    expect(taken.body['code']).toBe('PROMO_CODE_TAKEN');
  });

  it('lets other workspaces and the other mode use the same code', async () => {
    const [live, test, foreign] = await Promise.all([openShop(), openShop('test'), openShop()]);
    for (const shop of [live, test, foreign]) {
      const { path } = await join(shop);
      expect((await shop.api.post(`${path}/promo-codes`, { code: 'SAME' })).status).toBe(201);
    }
  });

  it('gives a code to exactly one of many who ask at once', async () => {
    const shop = await openShop();
    const rivals = await Promise.all(Array.from({ length: 6 }, () => join(shop)));
    const answers = await Promise.all(
      rivals.map(({ path }) => shop.api.post(`${path}/promo-codes`, { code: 'RACE' })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it.each(['ab', 'x'.repeat(41), 'a b', 'ümlaut', 'a.b', '', 5, null])(
    'refuses %j',
    async (code) => {
      const shop = await openShop();
      const { path } = await join(shop);
      const answer = await shop.api.post(`${path}/promo-codes`, { code });
      expect(answer.status).toBe(400);
      expect(answer.body['details']).toMatchObject([{ field: 'code' }]);
    },
  );

  it('answers 404 for codes that cannot be', async () => {
    const shop = await openShop();
    const { path } = await join(shop);
    const codes = ['none', '%00', '%E4', 'x'.repeat(300)];
    const answers = await Promise.all(
      codes.map((code) => shop.api.delete(`${path}/promo-codes/${code}`)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
  });

  it('replays the first answer for a repeated Idempotency-Key', async () => {
    const shop = await openShop();
    const { path } = await join(shop);
    const headers = { 'Idempotency-Key': 'once' };
    const first = await shop.api.post(`${path}/promo-codes`, { code: 'IDEM' }, { headers });
    const second = await shop.api.post(`${path}/promo-codes`, { code: 'IDEM' }, { headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('referral codes', () => {
  it('keeps the code as it was typed, its own again too', async () => {
    const shop = await openShop();
    const { path } = await join(shop, { referralCode: 'anna' });
    const codes = ['Anna', 'anna-2', 'ANNA'];
    for (const referralCode of codes) {
      const answer = await shop.api.patch(`${path}/referral-code`, { referralCode });
      expect(answer.status).toBe(200);
      expect(answer.body['referralCode']).toBe(referralCode);
    }
    const links = await shop.api.get<{ data: { token: string }[] }>(`${path}/links`);
    expect(links.body.data.map((link) => link.token)).toEqual(['ANNA']);
  });

  it("refuses another's, past ones and link tokens too", async () => {
    const shop = await openShop();
    const holder = await join(shop, { referralCode: 'held' });
    const link = await buildLink(db, holder);
    await shop.api.patch(`${holder.path}/referral-code`, { referralCode: 'held-2' });
    const { path } = await join(shop);
    for (const referralCode of ['HELD', 'held-2', link.token]) {
      const answer = await shop.api.patch(`${path}/referral-code`, { referralCode });
      expect([answer.status, answer.body['code']]).toEqual([409, 'REFERRAL_CODE_TAKEN']);
    }
  });

  it.each(['ab', 'x'.repeat(41), 'a b', 'é'.repeat(4)])('refuses %j', async (referralCode) => {
    const shop = await openShop();
    const { path } = await join(shop);
    const answer = await shop.api.patch(`${path}/referral-code`, { referralCode });
    expect(answer.body['details']).toMatchObject([{ field: 'referralCode' }]);
  });
});

describe('codes that read alike', () => {
  it('are a warning to the merchant, at each of the two partners', async () => {
    const shop = await openShop();
    const first = await join(shop);
    const second = await join(shop);
    await shop.api.post(`${first.path}/promo-codes`, { code: 'SAVE10' });

    const added = await shop.api.post(`${second.path}/promo-codes`, { code: 'SAVE-IO' });
    const renamed = await shop.api.patch(`${second.path}/referral-code`, {
      referralCode: 'save10',
    });
    const other = await shop.api.get(first.path);

    const of = (code: string) => ({ code, like: 'SAVE10', participantId: idOf(first.path) });
    expect(added.body['similarCodes']).toEqual([expect.objectContaining(of('SAVE-IO'))]);
    expect(renamed.body['similarCodes']).toEqual([
      expect.objectContaining(of('SAVE-IO')),
      expect.objectContaining(of('save10')),
    ]);
    expect(other.body['similarCodes']).toEqual([
      expect.objectContaining({ code: 'SAVE10', like: 'SAVE-IO' }),
      expect.objectContaining({ code: 'SAVE10', like: 'save10' }),
    ]);
  });

  it('stand beside an application, and the applicant reads of none', async () => {
    const shop = await openShop();
    const { path } = await join(shop);
    await shop.api.post(`${path}/promo-codes`, { code: 'L0YAL' });
    const api = await callerOf(app, await buildPartner(db));
    const applied = await api.post(`/api/v1/partner/programs/${shop.program.id}/applications`, {
      referralCode: '1oyal',
    });
    expect(applied.body).toMatchObject({ status: 'pending', similarCodes: [] });
    const listed = await shop.api.get<{ data: { similarCodes: unknown[] }[] }>(
      `${shop.path}?status=pending`,
    );
    expect(listed.body.data[0]?.similarCodes).toEqual([
      expect.objectContaining({ code: '1oyal', like: 'L0YAL', participantId: idOf(path) }),
    ]);
  });

  it('of another programme, of nobody any more, or of its own are none', async () => {
    const shop = await openShop();
    const elsewhere = await buildProgram(db, { workspaceId: shop.program.workspaceId });
    const first = await join({
      ...shop,
      program: elsewhere,
      path: `/api/v1/programs/${elsewhere.id}/partners`,
    });
    const second = await join(shop);
    await shop.api.post(`${first.path}/promo-codes`, { code: 'TEA-5' });
    await shop.api.post(`${second.path}/promo-codes`, { code: 'TEAS' });
    const added = await shop.api.post(`${second.path}/promo-codes`, { code: 'TEA5' });
    expect(added.body['similarCodes']).toEqual([]);
  });
});

const idOf = (path: string): string => path.split('/').pop() ?? '';
