import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Mode } from './client';

export interface Login {
  email: string;
  password: string;
}

export interface KeyPair {
  public: string;
  secret: string;
}

export interface DemoState {
  merchant: Login;
  partner: Login;
  /** Who may only read; made by `npm run demo`. */
  viewer?: Login;
  keys: Partial<Record<Mode, KeyPair>>;
  programIds: Partial<Record<Mode, string>>;
  /** The shop's address that the programmes last had. */
  websiteUrl?: string;
}

/**
 * The state, which is written before the first request, so that a seed that is cut short is taken
 * up by the next start.
 */
export function readState(stackDir: string): DemoState {
  const file = stateFile(stackDir);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoState;
  return saveState(stackDir, newState(''));
}

/** A state for a database whose demo belongs to another checkout: accounts of our own beside it. */
export function newState(suffix: string): DemoState {
  return {
    merchant: { email: `mira${suffix}@harbour-coffee.example`, password: newPassword() },
    partner: { email: `ava${suffix}@morning-brew.example`, password: newPassword() },
    keys: {},
    programIds: {},
  };
}

export function saveState(stackDir: string, state: DemoState): DemoState {
  const draft = `${stateFile(stackDir)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(draft, stateFile(stackDir));
  return state;
}

/** Another login at the merchant's own mail domain, under a name that no earlier one has. */
export function newLogin({ email }: Login, word: string): Login {
  const [, domain = ''] = email.split('@');
  const address = `${word}-${randomBytes(2).toString('hex')}@${domain}`;
  return { email: address, password: newPassword() };
}

function stateFile(stackDir: string): string {
  return path.join(stackDir, 'demo.json');
}

function newPassword(): string {
  return randomBytes(12).toString('base64url');
}
