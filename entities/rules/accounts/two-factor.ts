/** Codes of the second factor (docs/reference/accounts.md, Second factor). */
export const twoFactor = {
  /** Length of a step of the clock, in seconds, and how many it may be off, either way. */
  stepSeconds: 30,
  drift: 1,
  digits: 6,
  recoveryCodes: 10,
} as const;

export type TypedCode = { kind: 'totp' | 'recovery'; code: string };

/** What somebody typed: six digits are of an app, all else is a recovery code. Spaces and dashes do not count. */
export function readCode(typed: string): TypedCode {
  const code = typed.replace(/[\s-]/g, '').toLowerCase();
  return { kind: /^\d{6}$/.test(code) ? 'totp' : 'recovery', code };
}
