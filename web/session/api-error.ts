import { AffiliateError } from '../../packages/client/src/errors.ts';

export { errorOf, type ErrorDetail as FieldProblem } from '../../packages/client/src/errors.ts';

/** What the API answered in place of a result; status 0 when nothing answered. */
export { AffiliateError as ApiError };
