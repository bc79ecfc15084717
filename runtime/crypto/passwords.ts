import { availableParallelism } from 'node:os';
import { createDutyCycle, runAndRest, type DutyCycle } from '../load/duty-cycle';
import { createFairPlaces } from '../load/fair-places';
import { createHashProcesses, type HashProcesses } from './hash-processes';

/** argon2id (the library's default kind) with 19 MiB and two passes, as OWASP advises. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Anyone can cause a hash without a credential, and each takes a core for some 20 ms, so few run at
 * once and one core is left to other requests.
 */
export const hashesAtOnce = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Somebody waits for each: on a busy machine, where a hash takes long, the rest does not. */
const rests = { most: 2, longestMs: 40 };

/** Passwords of one caller. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Without a hash the same work is done for nothing, so that time does not reveal whether one
   * exists.
   */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

export interface PasswordHasher {
  /** SERVICE_UNAVAILABLE while as many wait as may: it is said before anything else is done. */
  assertRoom(caller: string): void;
  /** Callers take turns; beyond the bound whoever has most waiting is refused. */
  of(caller: string): Passwords;
}

export interface HasherParts {
  processes?: HashProcesses;
  duty?: DutyCycle;
}

/** Hashes that are bounded in number, `waiting` in all. */
export function createPasswordHasher(
  waiting: number,
  { processes = createHashProcesses(cost), duty = createDutyCycle(rests) }: HasherParts = {},
): PasswordHasher {
  const places = createFairPlaces({
    places: hashesAtOnce,
    perOwner: hashesAtOnce,
    waitingPerOwner: waiting,
    waitingInAll: waiting,
    patienceMs: 10_000,
  });
  const bounds = { places, duty };
  const hash = async (password: string): Promise<string> =>
    String(await processes.run({ password }));
  let placeholder: Promise<string> | undefined;

  const verify = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
    // Made on first use whoever asks, or that one call would reveal whether there is a hash.
    placeholder ??= hash('no account has this password');
    const fallback = await placeholder.catch((error: unknown) => {
      placeholder = undefined;
      throw error;
    });
    const matches = await processes.run({ password, passwordHash: passwordHash ?? fallback });
    return matches === true && passwordHash !== undefined;
  };

  return {
    assertRoom: (caller) => places.assertRoom(caller),
    of: (caller) => ({
      hash: (password) => runAndRest(bounds, caller, () => hash(password)),
      verify: (passwordHash, password) =>
        runAndRest(bounds, caller, () => verify(passwordHash, password)),
    }),
  };
}
