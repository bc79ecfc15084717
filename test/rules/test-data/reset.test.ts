import {
  resetMoves,
  resetStatuses,
  resetTriggers,
  type ResetStatus,
  type ResetTrigger,
} from '../../../entities/rules/test-data/reset';
import { assertMove } from '../../../entities/rules/values/moves';

type Line = [ResetStatus, ResetTrigger, ResetStatus];

/** Every pair that is not here is refused. */
const allowed: Line[] = [
  ['queued', 'begin', 'running'],
  ['running', 'complete', 'completed'],
  ['queued', 'fail', 'failed'],
  ['running', 'fail', 'failed'],
];

const all = resetStatuses.flatMap((from) =>
  resetTriggers.flatMap((trigger) => resetStatuses.map((to): Line => [from, trigger, to])),
);

it.each(all)('a move of a reset from %s by %s to %s', (from, trigger, to) => {
  const isAllowed = allowed.some((line) => line.join() === [from, trigger, to].join());
  const move = () => assertMove(resetMoves, { from, trigger, to });
  if (isAllowed) expect(move).not.toThrow();
  else expect(move).toThrow('no move');
});
