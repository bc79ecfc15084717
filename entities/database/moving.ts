import { sourcesOf, targetsOf, type Moves } from '../rules/values/moves';

interface Moving<Status extends string, Trigger extends string> {
  trigger: Trigger;
  /** A status that the table knows, or an expression of SQL for one of those that it knows. */
  to: Status | { sql: string };
  /** The updated table's name or alias, so that its column is meant. */
  of: string;
}

export interface MovingSql {
  /** What an UPDATE sets. */
  set: string;
  /** Which rows it may change: those that the trigger moves. */
  where: string;
}

/**
 * The halves of an UPDATE that moves the status of any number of rows. Throws for a move that the
 * table does not have, when the statement is made: before any row is.
 */
export function movingSql<Status extends string, Trigger extends string>(
  moves: Moves<Status, Trigger>,
  { trigger, to, of }: Moving<Status, Trigger>,
): MovingSql {
  const from = `${of}.status IN (${listed(sourcesOf(moves, trigger))})`;
  const targets = targetsOf(moves, trigger);
  if (typeof to === 'object') {
    return { set: `status = ${to.sql}`, where: `${from} AND ${to.sql} IN (${listed(targets)})` };
  }
  if (!targets.includes(to)) throw new Error(`no move to ${to} by ${trigger}`);
  return { set: `status = '${to}'`, where: from };
}

/** Texts as a list of SQL literals. */
export function listed(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(', ');
}
