import { availableParallelism } from 'node:os';
import { createFairPlaces } from '../batching/fair-places';
import { createHashThreads } from './hash-threads';

/** argon2id (the library's default kind) with 19 MiB and two passes, as OWASP advises. */
const threads = createHashThreads({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/**
 * Anyone can cause a hash without a credential, and each takes a core for some 20 ms, so few run at
 * once and one core is left to other requests. More than fifty waiting are refused.
 */
const everybody = '';
export const hashesAtOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
export const hashesWaiting = 50;
const places = createFairPlaces({
  places: hashesAtOnce,
  perOwner: hashesAtOnce,
  waitingPerOwner: hashesWaiting,
  waitingInAll: hashesWaiting,
  patienceMs: 10_000,
});

export function hashPassword(password: string): Promise<string> {
  return places.run(everybody, () => hash(password));
}

/**
 * Without a hash the same work is done for nothing, so that time does not reveal whether one exists.
 * The placeholder is made on first use whoever asks, or that one call would reveal it.
 */
export function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  return places.run(everybody, async () => {
    placeholder ??= hash('no account has this password');
    const fallback = await placeholder;
    const matches = await threads.run({ password, passwordHash: passwordHash ?? fallback });
    return matches === true && passwordHash !== undefined;
  });
}

async function hash(password: string): Promise<string> {
  return String(await threads.run({ password }));
}

let placeholder: Promise<string> | undefined;
