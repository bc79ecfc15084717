import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createFairPlaces } from '../batching/fair-places';

/** argon2id (the library's default kind) with 19 MiB and two passes, as OWASP advises. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing takes a core for some 20 ms, and needs no credential: what else the process does needs
 * a core too. More than fifty waiting are refused.
 */
const everybody = '';
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
const places = createFairPlaces({
  places: atOnce,
  perOwner: atOnce,
  waitingPerOwner: 50,
  waitingInAll: 50,
  patienceMs: 10_000,
});

export function hashPassword(password: string): Promise<string> {
  return places.run(everybody, () => hash(password, cost));
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
    placeholder ??= hash('no account has this password', cost);
    const fallback = await placeholder;
    const matches = await verify(passwordHash ?? fallback, password);
    return matches && passwordHash !== undefined;
  });
}

let placeholder: Promise<string> | undefined;
