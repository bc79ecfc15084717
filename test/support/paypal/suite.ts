import { execute } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../app';
import type { ApiResponse } from '../api-client';
import { forTheSuite } from '../run/for-the-suite';
import type { StandInItem } from './books';
import {
  advance,
  batchesOf,
  buildPayPalShop,
  itemsOf,
  later,
  statusesOf,
  type PayPalShop,
} from './shop';
import { createPayPalStandIn, type Mood, type PayPalStandIn } from './stand-in';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A payout that was sent, and the reference of its first item. */
export interface Sent {
  shop: PayPalShop;
  payout: { id: string; items: readonly { id: string; reference: string }[] };
  reference: string;
}

export interface PayPalSuite {
  app: TestApp;
  paypal: PayPalStandIn;
  /** A shop's payout with an item for each partner, sent and not yet said. */
  sent(partners?: number): Promise<Sent>;
  /** One whose only batch PayPal has taken, and has listed without its payment for more than a day. */
  vanished(): Promise<Sent & { payment: StandInItem }>;
  /**
   * A vanished batch of which somebody said that nothing was sent, and which was sent again and
   * said in these moods. The first payment is listed from now on.
   */
  sentAgain(moods?: readonly Mood[]): Promise<Sent & { payment: StandInItem }>;
  /** Notes that the database was returned to this moment, with payouts released already. */
  noteRestore(): Promise<Date>;
}

/** The API beside the stand-in by whose clock it goes, for the suite; each test begins without moods and calls. */
export function usePayPal(env: Record<string, string> = {}): PayPalSuite {
  const paypal = createPayPalStandIn(() => app.deps.clock.now());
  const app = forTheSuite(async () => {
    await paypal.listen();
    const opened = await startTestApp({
      ...{ PAYPAL_API_BASE: paypal.url, PAYOUT_TRY_TIMEOUT_MS: '2000' },
      ...env,
    });
    return {
      ...opened,
      async close() {
        await opened.close();
        await paypal.close();
      },
    };
  });
  beforeEach(() => {
    paypal.calls.length = 0;
    Object.assign(paypal, { moods: {}, onCall: undefined });
  });
  const sent = async (partners = 1): Promise<Sent> => {
    const shop = await buildPayPalShop(app, { partners });
    const payout = await shop.payout();
    expect((await shop.send(payout)).status).toBe(202);
    return { shop, payout, reference: payout.items[0]?.reference ?? '' };
  };
  const vanished = async () => {
    const story = await sent();
    const { shop, payout, reference } = story;
    await advance(app, payout);
    const [payment] = paypal.books.itemsOf(reference);
    if (!payment) throw new Error('nothing was taken');
    payment.isUnlisted = true;
    for (let passed = 0; passed < 5; passed += 1) await later(app, payout, 7 * hour);
    expect(await statusesOf(shop, payout)).toEqual(['sending!vanished']);
    return { ...story, payment };
  };
  const sentAgain = async (moods: readonly Mood[] = []) => {
    const story = await vanished();
    const { shop, payout, payment } = story;
    expect((await resolve(shop, payout, { nothingSent: true })).status).toBe(200);
    expect((await shop.send(payout)).status).toBe(202);
    paypal.moods.send = [...moods];
    await advance(app, payout);
    payment.isUnlisted = false;
    return story;
  };
  const noteRestore = async (): Promise<Date> => {
    app.deps.clock.advance(1_000);
    const now = app.deps.clock.now();
    const sql = `INSERT INTO restores (restored_to, noted_at, payouts_released_at) VALUES ($1, $1, $1)`;
    await execute(app.deps.db.manager, sql, [now]);
    return now;
  };
  return { app, paypal, sent, vanished, sentAgain, noteRestore };
}

/** A person marks the first item of a payout. */
export async function markFirst(
  shop: PayPalShop,
  payout: { id: string },
  body: object,
): Promise<ApiResponse> {
  const [item] = await itemsOf(shop, payout);
  return (await shop.api()).post(`/api/v1/payouts/${payout.id}/items/${item?.id}/mark`, body);
}

/** Marks the first item as a person does who has checked what it asks to have checked. */
export const checkFirst = (shop: PayPalShop, payout: { id: string }, status: string) =>
  markFirst(shop, payout, { status, confirmChecked: true });

/** A person says of a batch, by its place among those of the payout in the order of their tries, what it is. */
export async function resolve(
  shop: PayPalShop,
  payout: { id: string },
  { place = 0, ...body }: { place?: number; nothingSent?: true; providerBatchId?: string },
): Promise<ApiResponse> {
  const batches = await inOrder(shop, payout);
  const path = `/api/v1/payouts/${payout.id}/batches/${String(batches[place]?.['id'])}/resolve`;
  return (await shop.api()).post(path, { ...body, code: shop.code() });
}

/** The batches of a payout, the one that was tried first before the others. */
export async function inOrder(shop: PayPalShop, payout: { id: string }) {
  return (await batchesOf(shop, payout)).toSorted(byFirstTry);
}

const byFirstTry = (one: Record<string, unknown>, other: Record<string, unknown>): number =>
  String(one['firstTryAt']).localeCompare(String(other['firstTryAt']));
