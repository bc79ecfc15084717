import { STATUS_CODES } from 'node:http';
import { ServiceError } from '@temporalio/client';
import { constraintCodes } from '../../entities/constraints';
import { AppError, validationError } from '../../entities/errors';
import { violatedConstraint } from '../../entities/sql';

/** The error body of spec.md, plus the members that a code brings along. */
export function toEnvelope(error: AppError): Record<string, unknown> {
  return {
    statusCode: error.status,
    message: error.message,
    error: STATUS_CODES[error.status] ?? 'Error',
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...error.extra,
  };
}

/** What a thrown value means to a client; undefined for a bug of ours. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const constraint = violatedConstraint(error);
  const code = constraint === undefined ? undefined : constraintCodes[constraint];
  if (code) return new AppError(code);
  if (isUnstorable(error)) return validationError('body', 'contains text that cannot be stored');
  if (isOutage(error)) {
    return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });
  }
  return undefined;
}

/** Postgres: invalid byte sequence, or an escape that jsonb cannot hold. */
function isUnstorable(error: unknown): boolean {
  const code = driverCode(error);
  return code === '22021' || code === '22P05';
}

/** Away, starting, stopping, overloaded or in the way of another transaction: try again. */
const outageCodes =
  /^(08...|57P0.|57014|53...|40001|40P01|55P03|25P0[23]|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)$/;

function isOutage(error: unknown): boolean {
  if (error instanceof ServiceError) return true;
  const code = driverCode(error);
  if (code !== undefined && outageCodes.test(code)) return true;
  // Errors of the pool and of a broken connection carry no code.
  return (
    error instanceof Error &&
    /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|timeout expired|Cannot use a pool after calling end|Driver not Connected|connection is closed|is not queryable/i.test(
      error.message,
    )
  );
}

function driverCode(error: unknown): string | undefined {
  const source = (error as { driverError?: unknown } | undefined)?.driverError ?? error;
  const code = (source as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
