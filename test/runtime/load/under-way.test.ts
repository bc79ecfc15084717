import fc from 'fast-check';
import { UnderWay } from '../../../runtime/load/under-way';

describe('what is under way', () => {
  it('uses a place again once it is free', () => {
    const underWay = new UnderWay<string>();
    const first = underWay.add('first');
    const second = underWay.add('second');
    underWay.remove(first);

    expect(underWay.add('third')).toBe(first);
    expect(underWay.all().sort()).toEqual(['second', 'third']);
    underWay.remove(second);
    expect(underWay.size).toBe(1);
  });

  it('holds what was added and not removed, in no more places than were taken at once', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(20), { nil: 'add' as const })), (steps) => {
        const underWay = new UnderWay<number>();
        const held = new Map<number, number>();
        let most = 0;
        steps.forEach((step, item) => {
          if (step === 'add') held.set(underWay.add(item), item);
          const place = step === 'add' ? undefined : [...held.keys()][step];
          if (place !== undefined) {
            underWay.remove(place);
            held.delete(place);
          }
          most = Math.max(most, held.size);
          expect(underWay.size).toBe(held.size);
          expect(underWay.all().sort()).toEqual([...held.values()].sort());
          expect([...held.keys()].every((taken) => taken < most)).toBe(true);
        });
      }),
    );
  });
});
