import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { KeyedSemaphore } from '../load/keyed-semaphore';

/** argon2id (the library's default kind) with 19 MiB and two passes, as OWASP advises. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Anyone can cause a hash without a credential, and each takes a core for some 20 ms, so few run at
 * once and one core is left to other requests.
 */
export const hashesAtOnce = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Passwords of one caller. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Compares a password with a hash. Without a hash the same work is done for nothing, so that time
   * does not reveal whether one exists.
   */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Hashes on threads of the library, a few at a time; `maxWaiting` wait for their turn. */
export function createPasswordHasher(maxWaiting: number) {
  const turns = new KeyedSemaphore({
    permits: hashesAtOnce,
    permitsPerKey: hashesAtOnce,
    // One network fills no more than half of the places.
    maxWaitingPerKey: Math.ceil(maxWaiting / 2),
    maxWaiting,
    maxWaitMs: 10_000,
  });
  let placeholder: Promise<string> | undefined;

  const compare = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
    // The placeholder is made on first use, whoever asks: otherwise that one call would reveal whether there is a hash.
    placeholder ??= hash('no account has this password', cost);
    const fallback = await placeholder.catch((error: unknown) => {
      placeholder = undefined;
      throw error;
    });
    const matches = await verify(passwordHash ?? fallback, password);
    return matches && passwordHash !== undefined;
  };

  return {
    /**
     * Callers take turns. SERVICE_UNAVAILABLE while as many wait as may: here, before anything else is
     * done, and later when the caller would have to wait.
     */
    of(caller: string): Passwords {
      turns.assertRoom(caller);
      return {
        hash: (password) => turns.run(caller, () => hash(password, cost)),
        verify: (passwordHash, password) =>
          turns.run(caller, () => compare(passwordHash, password)),
      };
    },
  };
}
