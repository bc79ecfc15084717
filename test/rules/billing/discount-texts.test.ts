import fc from 'fast-check';
import { textInForce, withText } from '../../../entities/rules/billing/discount-texts';

const day = (n: number): string => `2026-03-0${n}T00:00:00.000000Z`;
const text = (n: number, code: string) => ({ at: day(n), code });

it.each([
  ['the newest of until then', [text(1, 'A'), text(3, 'B')], 4, 'B'],
  ['not one of afterwards', [text(3, 'B'), text(1, 'A')], 2, 'A'],
  ['the first of afterwards, where none is older', [text(5, 'B'), text(3, 'A')], 2, 'A'],
  ['one of the same moment', [text(2, 'A')], 2, 'A'],
  ['a discount that had no code then', [text(1, ''), text(3, 'A')], 2, ''],
])('the buyer typed %s', (_rule, texts, sold, code) => {
  expect(textInForce(texts, day(sold))?.code).toBe(code);
});

it('nothing is known of a discount that nobody has told', () => {
  expect(textInForce([], day(1))).toBeUndefined();
});

it('what was typed at any time is the same in every order, told twice too', () => {
  const told = fc.uniqueArray(
    fc.record({ n: fc.integer({ min: 1, max: 9 }), code: fc.constantFrom('A', 'B') }),
    {
      ...{ selector: ({ n }) => n, minLength: 1, maxLength: 5 },
    },
  );
  fc.assert(
    fc.property(
      told,
      fc.integer({ min: 1, max: 9 }),
      fc.infiniteStream(fc.nat()),
      (texts, sold, keys) => {
        const all = texts.map(({ n, code }) => text(n, code));
        const shuffled = [...all, ...all]
          .map((one) => ({ one, key: keys.next().value }))
          .sort((a, b) => a.key - b.key);
        const kept = shuffled.reduce<ReturnType<typeof withText>>(
          (known, { one }) => withText(known, one),
          [],
        );
        expect(textInForce(kept, day(sold))?.code).toBe(textInForce(all, day(sold))?.code);
      },
    ),
    { numRuns: 2_000 },
  );
});
