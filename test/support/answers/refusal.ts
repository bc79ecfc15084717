import { AppError } from '../../../entities/errors';

/** The error with which the work is refused; fails when it is not. */
export async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const outcome: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw new Error(`expected a refusal, not ${String(outcome)}`);
}
