/** A state machine as a table: from a status, by a trigger, to one of these. */
export type Moves<Status extends string, Trigger extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Trigger, readonly Status[]>>>>
>;

export interface Move<Status extends string, Trigger extends string> {
  from: Status;
  to: Status;
  trigger: Trigger;
}

export function isMove<Status extends string, Trigger extends string>(
  moves: Moves<Status, Trigger>,
  { from, to, trigger }: Move<Status, Trigger>,
): boolean {
  return moves[from][trigger]?.includes(to) ?? false;
}

/** Throws for a move that the table does not have: a bug of the caller. */
export function assertMove<Status extends string, Trigger extends string>(
  moves: Moves<Status, Trigger>,
  move: Move<Status, Trigger>,
): void {
  if (isMove(moves, move)) return;
  throw new Error(`no move from ${move.from} to ${move.to} by ${move.trigger}`);
}

/** The statuses that a trigger may leave, for the condition of an update. */
export function sourcesOf<Status extends string, Trigger extends string>(
  moves: Moves<Status, Trigger>,
  trigger: Trigger,
): Status[] {
  return (Object.keys(moves) as Status[]).filter((status) => moves[status][trigger] !== undefined);
}

/** Where a trigger leads to that leads to one status only, for the SET of an update. */
export function targetOf<Status extends string, Trigger extends string>(
  moves: Moves<Status, Trigger>,
  trigger: Trigger,
): Status {
  const [target, ...others] = targetsOf(moves, trigger);
  if (!target || others.length > 0) throw new Error(`no single status by ${trigger}`);
  return target;
}

/** The statuses that a trigger may lead to from every status that it may leave. */
export function targetsOf<Status extends string, Trigger extends string>(
  moves: Moves<Status, Trigger>,
  trigger: Trigger,
): Status[] {
  const all: (typeof moves)[Status][] = Object.values(moves);
  const lists = all.map((byTrigger) => byTrigger[trigger]).filter((list) => list !== undefined);
  const [first = [], ...others] = lists;
  return first.filter((status) => others.every((list) => list.includes(status)));
}
