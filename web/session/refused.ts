import { ApiError } from './api-error';

/** The error that the API would answer, for what never reaches the API. */
export function refused(field: string, message: string): ApiError {
  return new ApiError(message, {
    status: 0,
    code: 'VALIDATION_ERROR',
    details: [{ field, message }],
  });
}
