import fc from 'fast-check';
import {
  firstPlace,
  isToBeDone,
  nextBlocks,
  withBlock,
  type Block,
} from '../../../entities/rules/imports/place';

const size = 500;

it('names the next blocks side by side, but for those that are done', () => {
  const at = { after: 1_000, ahead: [{ from: 1_500, to: 2_000 }] };
  expect(nextBlocks({ after: 1_000 }, { size, lanes: 2 })).toEqual([
    { from: 1_000, to: 1_500 },
    { from: 1_500, to: 2_000 },
  ]);
  expect(nextBlocks(at, { size, lanes: 2 })).toEqual([{ from: 1_000, to: 1_500 }]);
  expect(isToBeDone(at, { from: 500, to: 1_000 })).toBe(false);
  expect(isToBeDone(at, { from: 1_500, to: 2_000 })).toBe(false);
});

it('comes behind all blocks, each done once, whichever of those side by side ends first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2), { minLength: 1, maxLength: 40 }), (choices) => {
      let place = firstPlace;
      const done: Block[] = [];
      for (const choice of choices) {
        const open = nextBlocks(place, { size, lanes: 3 });
        const block = open[choice % open.length] ?? { from: place.after, to: place.after + size };
        expect(isToBeDone(place, block)).toBe(true);
        place = withBlock(place, block);
        done.push(block);
        expect(isToBeDone(place, block)).toBe(false);
      }
      const starts = new Set(done.map(({ from }) => from));
      expect(starts.size).toBe(done.length);
      for (let from = 0; from < place.after; from += size) expect(starts.has(from)).toBe(true);
      expect(place.after / size + (place.ahead ?? []).length).toBe(done.length);
    }),
  );
});
