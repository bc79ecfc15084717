import fc from 'fast-check';
import { termsAt } from '../../../activities/programs/former-terms';
import {
  archiveProgram,
  createProgram,
  replaceCommissionRules,
  updateProgram,
} from '../../../activities/programs/programs';
import { newId } from '../../../entities/ids';
import { findOne } from '../../../entities/database/find';
import { query, type Db } from '../../../entities/database/sql';
import { saleTermsOf, type SaleTerms } from '../../../entities/rules/commissions/sale-terms';
import { defaultGroupOf } from '../../../entities/rules/programs/groups';
import type { CommissionRule, ProgramTerms } from '../../../entities/rules/programs/terms';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import type { FormerTerms } from '../../../entities/tables/programs/former-terms.entity';
import { Program } from '../../../entities/tables/programs/program.entity';
import { buildProgram } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

/** A partner in no group but the default one. */
const nobody = newId();
const begin = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number): Date => new Date(begin + ms);

const percent = (rateBps: number): ProgramTerms => ({
  type: 'percentage',
  rateBps,
  amountCents: null,
  basis: 'gross',
  recurring: true,
  recurringMonths: 12,
});
const flat: ProgramTerms = {
  ...percent(0),
  type: 'flat',
  rateBps: null,
  amountCents: 500,
  basis: null,
};
const rule = (name: string): CommissionRule => ({
  name,
  match: { participantIds: [newId()], minAmountCents: 1_000 },
  type: 'percentage',
  rateBps: 4_000,
  amountCents: null,
  basis: 'net',
  holdDays: null,
  autoApprove: false,
});

type Edit = (scope: Scope, programId: string, now: Date) => Promise<unknown>;
const patching =
  (patch: Parameters<typeof updateProgram>[2]['patch']): Edit =>
  (scope, programId, now) =>
    updateProgram(db, { scope, actor: systemActor, now }, { programId, patch });

const edits: readonly Edit[] = [
  patching({ commission: percent(1_000) }),
  patching({ commission: percent(2_000), holdDays: 7 }),
  patching({ commission: flat }),
  patching({ holdDays: 0, autoApprove: false }),
  patching({ autoApprove: true, reviewAboveCents: 10_000_000_000 }),
  patching({ currency: 'eur', acceptedCurrencies: ['usd', 'gbp'], reviewAboveCents: null }),
  patching({ name: 'Another name', status: 'paused' }),
  (scope, programId, now) =>
    replaceCommissionRules(
      db,
      { scope, actor: systemActor, now },
      { programId, rules: [rule('Anna'), rule('Big sales')] },
    ),
  (scope, programId, now) =>
    replaceCommissionRules(db, { scope, actor: systemActor, now }, { programId, rules: [] }),
];

async function newProgram(): Promise<{ scope: Scope; programId: string }> {
  const { workspaceId } = await buildProgram(db);
  const scope: Scope = { workspaceId, mode: 'test' };
  const { id: programId } = await createProgram(
    db,
    { scope, actor: systemActor, now: at(0) },
    { name: 'Shop', websiteUrl: 'https://shop.example', commission: percent(1_500) },
  );
  return { scope, programId };
}

const offered = async (programId: string): Promise<SaleTerms | undefined> => {
  const program = await findOne(db, Program, { where: { id: programId } });
  return program && { ...saleTermsOf(program), group: defaultGroupOf(programId) };
};
const keptOf = (programId: string): Promise<Pick<FormerTerms, 'heldUntil' | 'terms'>[]> =>
  query(
    db,
    `SELECT held_until AS "heldUntil", terms FROM former_terms WHERE program_id = $1
      ORDER BY held_until`,
    [programId],
  );

it('any edits leave the terms of each moment as the programme offered them then', async () => {
  const story = fc.array(
    fc.record({ edit: fc.constantFrom(...edits), after: fc.constantFrom(0, 1, 2, 86_400_000) }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const { scope, programId } = await newProgram();
      let now = 0;
      const known = [{ since: 0, terms: await offered(programId) }];
      for (const { edit, after } of steps) {
        now += after;
        await edit(scope, programId, at(now));
        known.push({ since: now, terms: await offered(programId) });
      }

      const moments = [-86_400_000, ...known.flatMap(({ since }) => [since - 1, since, since + 1])];
      const expected = moments.map(
        (moment) => (known.findLast(({ since }) => since <= moment) ?? known[0])?.terms,
      );
      const questions = moments.map((moment) => ({
        programId,
        participantId: nobody,
        at: at(moment),
      }));
      expect(await termsAt(db, scope, questions)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

it('an edit that changes no terms keeps nothing', async () => {
  const { scope, programId } = await newProgram();
  await patching({ name: 'Another' })(scope, programId, at(1));
  await patching({ commission: percent(1_500) })(scope, programId, at(2));
  await replaceCommissionRules(
    db,
    { scope, actor: systemActor, now: at(3) },
    { programId, rules: [] },
  );
  await archiveProgram(db, { scope, actor: systemActor, now: at(4) }, { programId });
  expect(await keptOf(programId)).toEqual([]);
});

it('edits side by side keep one answer for each moment, the last that was written at the end', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { scope, programId } = await newProgram();
    const first = await offered(programId);
    const rates = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000];
    await Promise.all(
      rates.map((rate, index) =>
        patching({ commission: percent(rate) })(scope, programId, at(10 + ((index * 7) % 5))),
      ),
    );
    const kept = await keptOf(programId);
    const { group: _group, ...terms } = first ?? {};
    expect(kept[0]?.terms).toMatchObject(terms);
    const [before, after] = await termsAt(db, scope, [
      { programId, participantId: nobody, at: at(9) },
      { programId, participantId: nobody, at: at(1_000) },
    ]);
    expect(before).toEqual(first);
    expect(after).toEqual(await offered(programId));
  }
});

it('a clock that is behind ends nothing later than it was ended', async () => {
  const { scope, programId } = await newProgram();
  await patching({ holdDays: 1 })(scope, programId, at(100));
  await patching({ holdDays: 2 })(scope, programId, at(50));
  const days = await termsAt(
    db,
    scope,
    [49, 50, 99, 100].map((ms) => ({ programId, participantId: nobody, at: at(ms) })),
  );
  expect(days.map((terms) => terms?.holdDays)).toEqual([30, 30, 30, 2]);
});

it('several programmes are asked for at once, each in its place, of this workspace and mode alone', async () => {
  const [one, other] = [await newProgram(), await newProgram()];
  await patching({ holdDays: 3 })(one.scope, one.programId, at(5));
  const { scope } = one;
  const answers = await termsAt(db, scope, [
    { programId: newId(), participantId: nobody, at: at(0) },
    { programId: one.programId, participantId: nobody, at: at(5) },
    { programId: other.programId, participantId: nobody, at: at(5) },
    { programId: one.programId, participantId: nobody, at: at(4) },
  ]);
  expect(answers.map((terms) => terms?.holdDays ?? null)).toEqual([null, 3, null, 30]);
  const live = await termsAt(db, { ...scope, mode: 'live' }, [
    { programId: one.programId, participantId: nobody, at: at(5) },
  ]);
  expect(live).toEqual([null]);
  expect(await termsAt(db, scope, [])).toEqual([]);
});
