import {
  erasureMoves,
  erasureStatuses,
  erasureTriggers,
  type ErasureStatus,
  type ErasureTrigger,
} from '../../../entities/rules/erasure/erasure';
import { assertMove } from '../../../entities/rules/values/moves';

type Line = [ErasureStatus, ErasureTrigger, ErasureStatus];

/** Every pair that is not here is refused. */
const allowed: Line[] = [
  ['locked', 'anonymise', 'anonymised'],
  ['locked', 'cancel', 'cancelled'],
  ['anonymised', 'complete', 'completed'],
];

const all = erasureStatuses.flatMap((from) =>
  erasureTriggers.flatMap((trigger) => erasureStatuses.map((to): Line => [from, trigger, to])),
);

it.each(all)('a move of an erasure from %s by %s to %s', (from, trigger, to) => {
  const isAllowed = allowed.some((line) => line.join() === [from, trigger, to].join());
  const move = () => assertMove(erasureMoves, { from, trigger, to });
  if (isAllowed) expect(move).not.toThrow();
  else expect(move).toThrow('no move');
});
