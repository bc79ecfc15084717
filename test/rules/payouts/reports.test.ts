import fc from 'fast-check';
import type { JudgedResults, ResultItem } from '../../../entities/rules/payouts/judged-results';
import { itemAfter, rowsUnder, judgeResults } from '../../support/payout-reports';
import {
  anyManner,
  fates,
  reportOf,
  truths,
  type Manner,
  type StoryItem,
} from '../../support/paypal/stories';

const anyStories = fc
  .array(fc.record({ fate: fc.constantFrom(...fates), day: fc.nat(20) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) =>
    all.map(({ fate, day }, at): StoryItem => {
      const own = { reference: `po${at}`, email: `p${at}@pay.example`, currency: 'usd' };
      return { ...own, amount: `${at + 20}.00`, transactionId: `T${at}`, fate, day };
    }),
  );

const itemsOf = (stories: readonly StoryItem[], fields: Partial<ResultItem> = {}): ResultItem[] =>
  stories.map(({ reference, email, currency, amount }) => ({
    ...{ id: reference, reference, email, currency, amountCents: Number(amount) * 100 },
    ...{ status: 'ready', transactionId: null, reports: [] },
    ...fields,
  }));

type Upload = (
  items: ResultItem[],
  rows: string[][],
) => { items: ResultItem[]; judged: JudgedResults };
const upload: Upload = (items, [header = [], ...rows]) => {
  const judged = judgeResults(items, rowsUnder(header, rows));
  return { judged, items: items.map((item) => itemAfter(item, judged)) };
};
const statuses = (items: readonly ResultItem[]) => items.map(({ status }) => status);
const truthOf = (stories: readonly StoryItem[]) => stories.map(({ fate }) => truths[fate]);

/** The rows of a report that fall into one of so many parts, as reports of other days would. */
function partsOf([header = [], ...rows]: string[][], cuts: readonly number[]): string[][][] {
  const parts = [0, 1, 2].map((part) => [
    header,
    ...rows.filter((_row, at) => (cuts[at % cuts.length] ?? 0) % 3 === part),
  ]);
  return parts.filter((part) => part.length > 1);
}

describe("a report of PayPal's", () => {
  it('comes to what it tells, however it is written, and again to nothing', () => {
    fc.assert(
      fc.property(anyStories, anyManner, (stories, manner) => {
        const rows = reportOf(stories, manner);
        const first = upload(itemsOf(stories), rows);
        expect(first.judged.problems).toEqual([]);
        expect(first.judged.skipped).toBe(stories.length);
        expect(statuses(first.items)).toEqual(truthOf(stories));
        const { judged } = upload(first.items, rows);
        expect([judged.changes, judged.notes, judged.problems]).toEqual([[], [], []]);
      }),
    );
  });

  it('comes to the same in parts, in whatever order, each more than once', () => {
    fc.assert(
      fc.property(
        ...[anyStories, anyManner],
        fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(2), { maxLength: 4 }),
        (stories, manner, cuts, order) => {
          const linked: Manner = { ...manner, hasReference: true, hasLink: true };
          const whole = reportOf(stories, linked);
          const parts = partsOf(whole, cuts);
          let items = itemsOf(stories);
          for (const at of order) items = upload(items, parts[at % parts.length] ?? whole).items;
          for (const part of parts) items = upload(items, part).items;
          const last = upload(items, whole);
          expect(last.judged.problems).toEqual([]);
          // A return that comes before its payment is a failure until the payment is told, too.
          const settled = upload(last.items, whole).items.map(({ status }) => status);
          const isOut = (status: string) => status === 'paid';
          expect(settled.map(isOut)).toEqual(truthOf(stories).map(isOut));
        },
      ),
    );
  });

  it('of what was completed by hand brings transactions, and tells what came back', () => {
    fc.assert(
      fc.property(anyStories, anyManner, (stories, manner) => {
        const paid = { status: 'paid' } as const;
        const rows = reportOf(stories, manner);
        const first = upload(itemsOf(stories, paid), rows);
        expect(first.judged.problems).toEqual([]);
        const expected = truthOf(stories).map((truth) =>
          truth === 'failed' ? 'returned' : truth === 'ready' ? 'paid' : truth,
        );
        expect(statuses(first.items)).toEqual(expected);
        const known = stories.map(({ fate, transactionId }) =>
          truths[fate] === 'paid' ? transactionId : expect.anything(),
        );
        first.items.forEach(({ status, transactionId }, at) => {
          if (status === 'paid' && truths[stories[at]?.fate ?? 'unclaimed'] === 'paid') {
            expect(transactionId).toEqual(known[at]);
          }
        });
        expect(upload(first.items, rows).judged.changes).toEqual([]);
      }),
    );
  });
});
