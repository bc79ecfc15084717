import { randomBytes } from 'node:crypto';
import { NamesTaken, signInMerchant, signInPartner } from './accounts';
import { asFailure, codeOf, connect, type Mode } from './client';
import { ensureKeys } from './keys';
import { ensurePayouts } from './payouts';
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
 * both modes; in test mode payouts in every state, too. Every step looks first and can be repeated.
 */
export async function seedDemo(options: SeedOptions): Promise<Demo> {
  const state = readState(options.stackDir);
  try {
    const isSeeded = state.websiteUrl === options.shopUrl && (await worksWith(state, options));
    return toDemo(isSeeded ? state : await seed(state, options), options.shopUrl);
  } catch (error) {
    throw asFailure(error);
  }
}

async function seed(state: DemoState, options: SeedOptions): Promise<DemoState> {
  try {
    return await fill(state, options);
  } catch (error) {
    if (!(error instanceof NamesTaken)) throw error;
    const suffix = `-${randomBytes(3).toString('hex')}`;
    return fill(saveState(options.stackDir, newState(suffix)), options);
  }
}

async function fill(state: DemoState, options: SeedOptions): Promise<DemoState> {
  const save = (): DemoState => saveState(options.stackDir, state);
  const merchant = await signInMerchant(options, {
    ...state.merchant,
    name: 'Mira Hale',
    workspaceName: 'Harbour Coffee',
  });
  for (const mode of MODES) {
    const known = state.keys[mode];
    state.keys[mode] = await ensureKeys(connect(options, merchant.token), mode, {
      newKeys: merchant.newKeys,
      known,
    });
    save();
  }

  const partnerToken = await signInPartner(options, { ...state.partner, name: 'Ava Reed' });
  for (const mode of MODES) {
    const sides = {
      merchant: connect(options, merchant.token, mode),
      partner: connect(options, partnerToken, mode),
    };
    const ids = await ensureProgram({
      ...sides,
      partnerEmail: state.partner.email,
      websiteUrl: options.shopUrl,
      referralCode: REFERRAL_CODE,
      promoCode: PROMO_CODE,
    });
    state.programIds[mode] = ids.programId;
    // Nobody is to be owed money that looks real.
    if (mode === 'test') await ensurePayouts({ ...sides, ...ids, partnerLogin: state.partner });
  }
  state.websiteUrl = options.shopUrl;
  return save();
}

/** False when the database was emptied, or is another one than last time. */
async function worksWith({ keys }: DemoState, service: SeedOptions): Promise<boolean> {
  if (!keys.test) return false;
  const { client, options } = connect(service, keys.test.secret);
  try {
    await client.conversions.list({ limit: 1 }, options);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'INVALID_API_KEY') throw error;
    return false;
  }
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
