import fc from 'fast-check';
import {
  greater,
  isWhole,
  leaveShare,
  nothing,
  percentOf,
  plus,
  shareOf,
  takeShare,
  type Share,
} from '../../../entities/rules/values/money';

const share = (numerator: number, denominator: number): Share => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
});
const [half, third] = [share(1, 2), share(1, 3)];

it.each([
  [1_000, 2_000, 200],
  [1, 5_000, 1],
  [1, 4_999, 0],
  [10 ** 12, 10_000, 10 ** 12],
  [999_999_999_999, 3_333, 333_300_000_000],
  [0, 10_000, 0],
])('of %i, %i basis points are %i', (amount, rate, expected) => {
  expect(percentOf(amount, rate)).toBe(expected);
});

describe('a share', () => {
  it.each<[number, number | null, Share]>([
    [1, 4, share(1, 4)],
    [1, 1, share(1, 1)],
    [5, 4, share(1, 1)],
    [0, 4, nothing],
    [-1, 4, nothing],
    [1, 0, nothing],
    [1, -4, nothing],
    [1, null, nothing],
  ])('is rounded, or nothing of nothing: %i of %p', (part, whole, expected) => {
    expect(shareOf(part, whole)).toEqual(expected);
  });

  it('is the greater of two, and the sum, at most one', () => {
    expect([greater(half, third), greater(third, half)]).toEqual([half, half]);
    expect(greater(share(2, 5), share(3, 7))).toEqual(share(3, 7));
    expect(plus(half, third)).toEqual(share(5, 6));
    expect(plus(half, share(2, 3))).toEqual(share(1, 1));
    expect([isWhole(plus(half, half)), isWhole(plus(half, third))]).toEqual([true, false]);
  });

  it('is taken of an amount, and left of it, half up', () => {
    expect([takeShare(101, half), leaveShare(101, half)]).toEqual([51, 51]);
    expect([takeShare(100, third), leaveShare(100, third)]).toEqual([33, 67]);
    expect([takeShare(7, nothing), leaveShare(7, nothing)]).toEqual([0, 7]);
  });

  it('taken and left are the whole, but for a half that both round up', () => {
    const amounts = fc.integer({ min: 0, max: 10 ** 12 });
    const parts = fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }));
    fc.assert(
      fc.property(amounts, parts, (amount, [part, whole]) => {
        const one = shareOf(part, whole);
        const sum = takeShare(amount, one) + leaveShare(amount, one);
        expect([amount, amount + 1]).toContain(sum);
      }),
    );
  });
});
