import { hash, verify } from '@node-rs/argon2';

/** argon2id (the library's default kind) with 19 MiB and two passes, as OWASP advises. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/**
 * Without a hash the same work is done for nothing, so that time does not tell whether one exists.
 * The placeholder is made on first use whoever asks, or that one call would tell it.
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  placeholder ??= hash('no account has this password', cost);
  const fallback = await placeholder;
  const matches = await verify(passwordHash ?? fallback, password);
  return matches && passwordHash !== undefined;
}

let placeholder: Promise<string> | undefined;
