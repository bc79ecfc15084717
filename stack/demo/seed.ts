import { randomBytes } from 'node:crypto';
import { signIn, NamesTaken } from './accounts';
import { createApiClient, type ApiClient, type Mode } from './client';
import { ensureKeys } from './keys';
import { ensureProgram } from './program';
import { newState, readState, saveState, type DemoState, type KeyPair, type Login } from './state';

const PROMO_CODE = 'AVA10';
const REFERRAL_CODE = 'ava';
const MODES: readonly Mode[] = ['test', 'live'];

export interface Demo {
  merchant: Login;
  partner: Login;
  /** The test-mode programme; live mode has its twin, with the same codes. */
  programId: string;
  referralUrl: string;
  promoCode: string;
  keys: Record<Mode, KeyPair>;
}

export interface SeedOptions {
  apiUrl: string;
  shopUrl: string;
  stackDir: string;
  signal: AbortSignal;
}

/**
 * A merchant, a programme with a 30-day hold and an approved partner with link and promo code, the same in
 * both modes. Every step looks first and can be repeated.
 */
export async function seedDemo(options: SeedOptions): Promise<Demo> {
  const api = createApiClient(options.apiUrl, options.signal);
  const state = readState(options.stackDir);
  const isSeeded = state.websiteUrl === options.shopUrl && (await worksWith(api, state));
  return toDemo(isSeeded ? state : await seed(api, state, options), options.shopUrl);
}

async function seed(api: ApiClient, state: DemoState, options: SeedOptions): Promise<DemoState> {
  try {
    return await fill(api, state, options);
  } catch (error) {
    if (!(error instanceof NamesTaken)) throw error;
    const suffix = `-${randomBytes(3).toString('hex')}`;
    return fill(api, saveState(options.stackDir, newState(suffix)), options);
  }
}

async function fill(api: ApiClient, state: DemoState, options: SeedOptions): Promise<DemoState> {
  const save = (): DemoState => saveState(options.stackDir, state);
  const merchant = await signIn(api, 'merchant', {
    ...state.merchant,
    name: 'Mira Hale',
    workspaceName: 'Harbour Coffee',
  });
  for (const mode of MODES) {
    state.keys[mode] = await ensureKeys(api, mode, { ...merchant, known: state.keys[mode] });
    save();
  }

  const partner = await signIn(api, 'partner', { ...state.partner, name: 'Ava Reed' });
  for (const mode of MODES) {
    state.programIds[mode] = await ensureProgram(api, {
      mode,
      merchantToken: merchant.token,
      partnerToken: partner.token,
      partnerEmail: state.partner.email,
      websiteUrl: options.shopUrl,
      referralCode: REFERRAL_CODE,
      promoCode: PROMO_CODE,
    });
  }
  state.websiteUrl = options.shopUrl;
  return save();
}

/** False when the database was emptied, or is another one than last time. */
async function worksWith(api: ApiClient, state: DemoState): Promise<boolean> {
  const token = state.keys.test?.secret;
  if (!token) return false;
  const accept = ['INVALID_API_KEY', 'UNAUTHORIZED', 'INVALID_SECRET_KEY'];
  const { status } = await api('/api/v1/conversions?limit=1', { token, accept });
  return status === 200;
}

function toDemo({ merchant, partner, programIds, keys }: DemoState, shopUrl: string): Demo {
  const programId = programIds.test;
  if (!programId || !keys.test || !keys.live) throw new Error('The demo is not complete.');
  return {
    merchant,
    partner,
    programId,
    referralUrl: `${shopUrl}/?ref=${REFERRAL_CODE}`,
    promoCode: PROMO_CODE,
    keys: { test: keys.test, live: keys.live },
  };
}
