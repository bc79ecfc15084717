import fc from 'fast-check';
import { salesOf, twinsOf, unequalOf, type Setting } from './setting';
import { factKinds, kinds, type Kind, type Step } from './steps';

/** Steps that are told together are told side by side. */
export type Sequence = readonly (readonly Step[])[];

const anyOf = (all: readonly Kind[]) =>
  fc.record({ kind: fc.constantFrom(...all), n: fc.integer({ min: 0, max: 3 }) });
/** What several mistakes need more than once. */
const often: readonly Kind[] = ['signUp', 'unbind', 'invoice', 'invoice', 'checkout'];
const [anyStep, anyFact] = [anyOf([...kinds, ...often]), anyOf(factKinds)];
const anyTelling: fc.Arbitrary<Step[][]> = fc.oneof(
  { weight: 5, arbitrary: anyStep.map((step) => [[step]]) },
  { weight: 3, arbitrary: anyStep.map((step) => [[step], [step]]) },
  { weight: 1, arbitrary: anyFact.map((step) => [[step, step]]) },
  { weight: 2, arbitrary: fc.tuple(anyFact, anyFact).map((both) => [both]) },
);
/** A sequence in any order, or month by month, so that members find something to decide. */
export const anySequence = fc
  .tuple(fc.array(anyTelling, { minLength: 3, maxLength: 14 }), fc.boolean())
  .map(([all, isByMonth]): Sequence => (isByMonth ? byMonth(all.flat()) : all.flat()));

function byMonth(all: Step[][]): Step[][] {
  return all.toSorted(([a], [b]) => (a?.n ?? 0) - (b?.n ?? 0));
}

const byId = <One extends { id: string }>(all: One[]): One[] =>
  all.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Expects that sales, sums and flags are what the model says in the end. */
export async function compare(setting: Setting): Promise<void> {
  const { model } = setting;
  expect(byId(await salesOf(setting))).toEqual(byId(model.sales()));
  const twins = await twinsOf(setting);
  const expected = model.twins.books();
  expect(twins.map(({ id, due }) => ({ id, due }))).toEqual(
    expected.map(({ id, due }) => ({ id, due })),
  );
  const isPlain = (id: string): boolean =>
    expected.some((one) => one.id === id && one.flagged !== null);
  expect(twins.filter(({ id }) => isPlain(id)).map(({ flagged }) => flagged)).toEqual(
    expected.flatMap(({ flagged }) => flagged ?? []),
  );
  expect(await unequalOf(setting)).toEqual([]);
}
