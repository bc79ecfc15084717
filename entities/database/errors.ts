/** Codes of Postgres and of sockets: away, starting, stopping, overloaded, or in another's way. */
const outageCodes =
  /^(08...|57P0.|57014|53...|40001|40P01|55P03|25P0[23]|25006|26000|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)$/;

/** Errors of the pool and of a broken connection carry no code. */
const outageMessages =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|timeout expired|Cannot use a pool after calling end|Driver not Connected|connection is closed|is not queryable|Query runner already released|Transaction is not started|cached plan must not change/i;

/** The connection broke or the server is coming back: the same work may succeed in a moment. */
const passingCodes = /^(08...|57P0.|25006|26000|40001|40P01|ECONN.*|EPIPE)$/;
const passingMessages =
  /Connection terminated|connection error|connection is closed|is not queryable|Query runner already released|Transaction is not started|cached plan must not change/i;

/**
 * The server behind this connection is not the one that it was: read-only after a fail-over, without
 * the statements that were prepared, or with another shape of a table than their plans were made for.
 */
const spoiltCodes = /^(25006|26000)$/;
const spoiltMessages = /cached plan must not change/;

/** Another transaction's locks were in the way: nothing was done. */
const lockedCodes = new Set(['55P03', '40P01', '40001']);

/** Whether the database is away or overloaded, so that nothing is known to be wrong with the work. */
export function isDatabaseOutage(error: unknown): boolean {
  return matches(error, outageCodes, outageMessages);
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

/** Whether the connection must not be used again, though it still answers. */
export function isSpoiltConnection(error: unknown): boolean {
  return matches(error, spoiltCodes, spoiltMessages);
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

/** TypeORM wraps what the driver threw; a statement that was sent past it throws as the driver does. */
function sourceOf(error: unknown): { code?: unknown; constraint?: string } {
  return (error as { driverError?: object } | undefined)?.driverError ?? error ?? {};
}

function matches(error: unknown, codes: RegExp, messages: RegExp): boolean {
  const code = driverCode(error);
  if (code !== undefined && codes.test(code)) return true;
  return error instanceof Error && messages.test(error.message);
}
