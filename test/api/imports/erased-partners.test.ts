import { bookNext } from '../../../activities/imports/apply';
import { getImport } from '../../../activities/imports/imports';
import { execute, query } from '../../../entities/database/sql';
import { buildMember, signIn, type BuiltMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { eventually } from '../../support/eventually';
import { waitsForLock } from '../../support/faults/waits-for-lock';
import { commissions, customers, links, partners } from '../../support/import-shop';
import { beginImport, workOn } from '../../support/imports';
import { holdTransaction } from '../../support/postgres/held-transaction';
import { openErasureStage, type ErasureStage } from '../../support/workers/erasure-stage';

let app: ErasureStage;
beforeAll(async () => {
  app = await openErasureStage();
}, 60_000);
afterAll(() => app.close());

const files = { partners, links, customers, commissions };
const noted = commissions
  .split('\n')
  .map((line, n) => `${line},${n === 0 ? 'note' : 'By Ann Smith'}`)
  .join('\n');

async function open(given: Record<string, string> = files) {
  const db = app.deps.db.manager;
  const owner: BuiltMember = await buildMember(db);
  const { workspaceId } = owner;
  const program = await buildProgram(db, { workspaceId });
  const api = app.client.as((await signIn(app.deps, owner)).accessToken, 'live');
  const base = `/api/v1/programs/${program.id}`;
  const begin = () => beginImport(app.deps, api, { programId: program.id, files: given });
  const one = await begin();
  const importId = one.path.split('/').at(-1) ?? '';
  const key = { programId: program.id, importId };
  const held = () => getImport(db, { workspaceId, mode: 'live' }, key);
  const next = async () =>
    bookNext({ db, vault: app.deps.vault }, await held(), app.deps.clock.now());
  const idOf = async (name: string) =>
    (
      await query<{ id: string }>(
        db,
        'SELECT id FROM participants WHERE program_id = $1 AND partner_name = $2',
        [program.id, name],
      )
    )[0]?.id ?? '';
  return {
    ...{ db, api, base, begin, held, idOf, importId, next, one, program },
    async erase(name: string) {
      const path = `${base}/partners/${await idOf(name)}/erase`;
      const answer = await api.post(path, { confirmation: 'DELETE' });
      expect(answer.status).toBe(200);
    },
    /** Asks for the booking, and books up to this kind. */
    async bookTo(kind: string) {
      await one.check();
      const asked = await api.post(`${one.path}/apply`, { expected: await one.expected() });
      expect(asked.status).toBe(202);
      while ((await held()).place?.kind !== kind) await next();
    },
  };
}

describe('a partner who is erased while an import is booked (imports.md, Booking)', () => {
  it('gets nothing of what follows, and the others all of theirs', async () => {
    const { api, base, bookTo, erase, importId, one } = await open();
    await bookTo('links');
    await erase('Ann');
    await workOn(app.deps, importId);
    const { status, report } = await one.read();
    expect(status).toBe('applied');
    expect(new Set(report?.problems.sample.map(({ code }) => code))).toEqual(
      new Set(['PARTNER_UNKNOWN']),
    );
    const booked = await api.get<{ data: { partnerName: string }[] }>(`${base}/commissions`);
    expect(booked.body.data).toMatchObject([{ partnerName: 'Bob', amountCents: 100 }]);
  });

  it.each([
    ['links', 'referral_tokens', `token NOT IN ('Erased') AND kind = 'imported'`],
    ['commissions', 'commissions', `adjustment_reason LIKE '%Smith%'`],
  ])('has no text of theirs written behind them: %s', async (kind, table, isText) => {
    const { bookTo, db, idOf, importId, next, one } = await open({ ...files, commissions: noted });
    await bookTo(kind);
    const id = await idOf('Ann');
    const erasing = await holdTransaction(db);
    await execute(erasing.tx, 'UPDATE participants SET erased_at = now() WHERE id = $1', [id]);
    const booking = next();
    await eventually(() => waitsForLock(db));
    await erasing.commit();
    await booking;
    await workOn(app.deps, importId);
    expect((await one.read()).status).toBe('applied');
    const left = await query(db, `SELECT 1 FROM ${table} WHERE participant_id = $1 AND ${isText}`, [
      id,
    ]);
    expect(left).toEqual([]);
  });
});

describe('a partner who is erased before an import is undone (imports.md, Taking it back)', () => {
  it('stays erased, for ever, and nobody has their tokens', async () => {
    const { api, begin, erase, importId, one } = await open();
    await one.check();
    await one.apply();
    await erase('Ann');
    expect((await api.post(`${one.path}/undo`)).status).toBe(202);
    await workOn(app.deps, importId);
    expect(await one.read()).toMatchObject({ status: 'undone', error: null });
    const again = await begin();
    const { report } = await again.check();
    const ofPartners = report?.problems.sample.filter(({ file }) => file === 'partners-1');
    expect(ofPartners?.map(({ id, code }) => `${id} ${code}`).sort()).toEqual([
      'p1 PARTNER_ERASED',
      'p3 PARTNER_ERASED',
    ]);
    expect(report?.kinds[0]).toMatchObject({ new: 1 });
    const taken = `partner_id,email\np9,eve@example.com`;
    await again.put('partners', taken);
    await again.put('links', 'partner_id,token\np9,ann-smith\np9,Ann.Smith');
    const { report: other } = await again.check();
    expect(
      other?.problems.sample.filter(({ file }) => file === 'links-1').map(({ code }) => code),
    ).toEqual(['TOKEN_TAKEN', 'TOKEN_TAKEN']);
  });
});
