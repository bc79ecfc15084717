import { STATUS_CODES } from 'node:http';
import { ServiceError } from '@temporalio/client';
import { AnyText, Int, ListOf } from './validators';
import { UnsafeIntegerError } from '../../../entities/database/connection';
import { constraintCodes } from '../../../entities/database/constraints';
import {
  driverCode,
  isDatabaseOutage,
  violatedConstraint,
} from '../../../entities/database/errors';
import { AppError, toldCode, validationError } from '../../../entities/errors';

/** No answer lists more problems than this. */
export const maxProblems = 20;

export class ErrorDetailDto {
  @AnyText({ description: 'Dotted path of the field, `body`, or a header name.' })
  field!: string;

  @AnyText()
  message!: string;
}

/** The error body as the OpenAPI documents show it. */
export class ErrorDto {
  @Int()
  statusCode!: number;

  @AnyText({ description: 'For people; not stable.' })
  message!: string;

  @AnyText({ description: 'HTTP status text.' })
  error!: string;

  @AnyText({ description: 'Stable, machine-readable.' })
  code!: string;

  @ListOf(() => ErrorDetailDto, { optional: true, description: 'With VALIDATION_ERROR only.' })
  details?: ErrorDetailDto[];
}

/**
 * The error body (docs/reference/requests.md, Errors), plus the members that a code brings along.
 */
export function toEnvelope(error: AppError): Record<string, unknown> {
  return {
    statusCode: error.status,
    message: error.message,
    error: STATUS_CODES[error.status] ?? 'Error',
    code: toldCode(error.code),
    ...(error.details === undefined ? {} : { details: error.details.slice(0, maxProblems) }),
    ...error.extra,
  };
}

/** What a thrown value means to a client; undefined for a bug of ours. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const constraint = violatedConstraint(error);
  const code = constraint === undefined ? undefined : constraintCodes[constraint];
  if (code) return new AppError(code);
  if (isTooLarge(error)) return new AppError('AMOUNT_TOO_LARGE');
  if (isUnstorable(error)) return validationError('body', 'contains text that cannot be stored');
  if (isOutage(error)) {
    return new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });
  }
  return undefined;
}

/** Beyond what a JSON number holds exactly, or a bigint at all. */
function isTooLarge(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { driverError } = error as { driverError?: unknown };
  const isUnsafe = [error, driverError].some((one) => one instanceof UnsafeIntegerError);
  return isUnsafe || driverCode(error) === '22003';
}

/** Postgres: invalid byte sequence, or an escape that jsonb cannot hold. */
function isUnstorable(error: unknown): boolean {
  const code = driverCode(error);
  return code === '22021' || code === '22P05';
}

function isOutage(error: unknown): boolean {
  return error instanceof ServiceError || isDatabaseOutage(error);
}
