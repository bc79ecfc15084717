import { AppError } from '../../entities/errors';
import { billerNames, type Biller } from '../../entities/rules/billing/biller';

/** A biller did not answer when an event was to be completed: the event is tried again. */
export class BillerAwayError extends Error {
  override readonly name = 'BillerAwayError';

  constructor(
    readonly biller: Biller,
    cause: unknown,
  ) {
    super(`${billerNames[biller]} did not answer`, { cause });
  }
}

/** What a member is answered when the biller cannot be asked. */
export function billerAway(biller: Biller): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: `${billerNames[biller]} cannot be reached just now. Try again shortly.`,
    headers: { 'Retry-After': '10' },
  });
}
