/** Codes of Postgres and of sockets: away, starting, stopping, overloaded, or in another's way. */
const outageCodes =
  /^(08...|57P0.|57014|53...|40001|40P01|55P03|25P0[23]|25006|26000|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EHOST.*|ENET.*|EAI_AGAIN|ERR_STREAM_.*)$/;

/** Errors of the pool and of a broken connection carry no code. */
const outageMessages =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|timeout expired|Cannot use a pool after calling end|connection is closed|is not queryable|cached plan must not change/i;

/** The connection broke or the server is coming back: the same work may succeed in a moment. */
const passingCodes = /^(08...|57P0.|25006|26000|40001|40P01|ECONN.*|EPIPE|ERR_STREAM_.*)$/;
const passingMessages =
  /Connection terminated|connection error|connection is closed|is not queryable|cached plan must not change/i;

/**
 * The server ends this connection, or is not the one that it was: read-only after a fail-over, without
 * the statements that were prepared, or with another shape of a table than their plans were made for.
 * One whose statement had no answer in time still waits for it, and would keep the next one waiting.
 */
const endingCodes = /^(08...|57P0.|25006|26000)$/;
const endingMessages = /cached plan must not change|Query read timeout/;

/** Another transaction's locks were in the way: nothing was done. */
const lockedCodes = new Set(['55P03', '40P01', '40001']);

/** The database is not asked: it is not known yet to be the one that this code works with. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
}

/** Whether the database is away or overloaded, so that nothing is known to be wrong with the work. */
export function isDatabaseOutage(error: unknown): boolean {
  return error instanceof DatabaseAwayError || matches(error, outageCodes, outageMessages);
}

/** An outage of which a moment's wait may see the end; the work may have been done all the same. */
export function isPassingOutage(error: unknown): boolean {
  return matches(error, passingCodes, passingMessages);
}

/** A statement that waits for no lock left its rows to the transaction that holds them. */
export class RowsLockedError extends Error {
  override readonly name = 'RowsLockedError';
}

/**
 * Another transaction has the rows: nothing was done, and nothing is wrong with the work. It may
 * succeed once that one is over.
 */
export function isLocked(error: unknown): boolean {
  return error instanceof RowsLockedError || lockedCodes.has(driverCode(error) ?? '');
}

/** Whether the connection must not be used again, though it may still answer. */
export function endsConnection(error: unknown): boolean {
  return matches(error, endingCodes, endingMessages);
}

/** Postgres classes 22 and 23: the statement was understood, a value in it was not acceptable. */
export function isAboutData(error: unknown): boolean {
  return /^2[23]/.test(driverCode(error) ?? '');
}

/** The name of the violated constraint, when that is why a statement failed. */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint } = sourceOf(error);
  return driverCode(error)?.startsWith('23') ? constraint : undefined;
}

/** The code of Postgres or of the socket behind an error. */
export function driverCode(error: unknown): string | undefined {
  const { code } = sourceOf(error);
  return typeof code === 'string' ? code : undefined;
}

/** The runner of migrations wraps what the driver threw; all else throws as the driver does. */
function sourceOf(error: unknown): { code?: unknown; constraint?: string } {
  return (error as { driverError?: object } | undefined)?.driverError ?? error ?? {};
}

function matches(error: unknown, codes: RegExp, messages: RegExp): boolean {
  const code = driverCode(error);
  if (code !== undefined && codes.test(code)) return true;
  return error instanceof Error && messages.test(error.message);
}
