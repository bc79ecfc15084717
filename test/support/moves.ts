import { assertMove, type Moves } from '../../entities/rules/values/moves';

/** A line of a table of moves: from a status, by a trigger, to a status. */
type Line<Status, Trigger> = [from: Status, trigger: Trigger, to: Status];

/** Walks every line that could be, from each status by each trigger to each: what is not allowed is refused. */
export function testMoves<Status extends string, Trigger extends string>(
  moves: Moves<Status, Trigger>,
  triggers: readonly Trigger[],
  allowed: Line<Status, Trigger>[],
): void {
  const statuses = Object.keys(moves) as Status[];
  const all = statuses.flatMap((from) =>
    triggers.flatMap((trigger) => statuses.map((to): Line<Status, Trigger> => [from, trigger, to])),
  );
  it.each(all)('from %s by %s to %s', (from, trigger, to) => {
    const isAllowed = allowed.some((line) => line.join() === [from, trigger, to].join());
    const move = () => assertMove(moves, { from, trigger, to });
    if (isAllowed) expect(move).not.toThrow();
    else expect(move).toThrow('no move');
  });
}
