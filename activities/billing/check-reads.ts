import { AppError } from '../../entities/errors';
import { billerNames, type Biller } from '../../entities/rules/billing/biller';
import { billerHttpFailure } from '../../runtime/connections/biller-http';
import { billerAway } from './away';

/** One read of a thing that processing needs, and the permission of a key for it. */
export interface NeededRead {
  permission: string;
  call(): Promise<unknown>;
}

/** Tries every read that is needed. BILLER_KEY_REJECTED names what the key lacks, SERVICE_UNAVAILABLE no answer. */
export async function checkReads(biller: Biller, reads: readonly NeededRead[]): Promise<void> {
  const failures = await Promise.all(
    reads.map(async ({ permission, call }) => {
      try {
        await call();
        return [];
      } catch (error) {
        return [{ permission, failure: billerHttpFailure(error) }];
      }
    }),
  );
  const failed = failures.flat();
  const refused = failed.filter(({ failure }) => failure === 'refused');
  if (refused.length > 0)
    throw keyRejected(
      biller,
      refused.map(({ permission }) => permission),
    );
  // One answer is enough to know that the key is good; a 500 on one list is the biller's own trouble.
  const away = failed.filter(({ failure }) => failure === 'away');
  if (away.length === reads.length) throw billerAway(biller);
}

export function keyRejected(biller: Biller, permissions: readonly string[]): AppError {
  return new AppError('BILLER_KEY_REJECTED', {
    message: `${billerNames[biller]} does not let this apiKey do what is needed: ${permissions.join(', ')}.`,
  });
}

/** What registering an endpoint threw, as a member reads it. */
export function registrationFailure(biller: Biller, error: unknown, permission: string): AppError {
  if (billerHttpFailure(error) === 'away') return billerAway(biller);
  return keyRejected(biller, [permission]);
}
