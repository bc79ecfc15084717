import type fc from 'fast-check';
import { adjustBalance } from '../../../../activities/commissions/adjust';
import { decideCommission, elapseHold } from '../../../../activities/commissions/decide';
import { decideParticipant } from '../../../../activities/partners/participant-decisions';
import { cancelPayout, completePayout, markItem } from '../../../../activities/payouts/end-payout';
import { createPayout } from '../../../../activities/payouts/payouts';
import { refundConversion } from '../../../../activities/purchases/refund';
import { buildReport, recordConversion } from '../../../support/build/conversions';
import { codeOf } from '../../../support/build/payouts';
import { checkoutCompleted } from '../../../support/stripe/events';
import { Entry, type TermsKind } from './entries';
import type { Payment, Sale } from './payments';
import { compare, fingerprint } from './compare';
import { moveItem, planOf, takeInto, type Payout } from './payouts';
import type { Shop } from './shop';
import type { World } from './world';

type Code = string;
type Call = () => Promise<unknown>;

/** What a step asks of the service, and what the model says of it. */
export interface Step {
  name: string;
  /** Whether there is anything to do it to. */
  canRun: (world: World) => boolean;
  /**
   * Makes the model's part of the step. `expected` is the code of the refusal, or `ok`; `follow` follows
   * an accepted call, whose result it gets.
   */
  plan: (world: World, shop: Shop) => Plan | Promise<Plan>;
}

export interface Plan {
  call: Call;
  expected: Code;
  follow?: (result: never) => void;
}

/** Does a step, compares, and does it again, which changes nothing. */
export class MoneyCommand implements fc.AsyncCommand<World, Shop> {
  constructor(private readonly step: Step) {}

  check = (world: Readonly<World>): boolean => this.step.canRun(world);

  async run(world: World, shop: Shop): Promise<void> {
    const { call, expected, follow } = await this.step.plan(world, shop);
    shop.seen ??= await fingerprint(shop);
    let result: unknown;
    const code = await codeOf(call().then((value) => (result = value)));
    expect(`${this.step.name}: ${code}`).toBe(`${this.step.name}: ${expected}`);
    if (code === 'ok') {
      follow?.(result as never);
      await compare(shop, world);
      shop.seen = await fingerprint(shop);
      await codeOf(call());
    }
    // The model says that nothing changed by what was refused.
    expect(await fingerprint(shop)).toBe(shop.seen);
  }

  toString(): string {
    return this.step.name;
  }
}

const pick = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;
const always = (): boolean => true;
const hasEntries = ({ entries }: World): boolean => entries.length > 0;
const hasPayouts = ({ payouts }: World): boolean => payouts.length > 0;

export interface ReportOptions {
  slot: number;
  partner: number;
  kind: TermsKind;
  feeCents: number | null;
  autoApprove: boolean;
  holdDays: number;
}

/** The promo code of one who is not approved credits nobody. What a checkout sells is not reported. */
export const report = (of: ReportOptions): Step => ({
  name: `report ${JSON.stringify(of)}`,
  canRun: ({ reported, payments }) =>
    !reported.has(of.slot) && payments[of.slot]?.sale.checkoutCents === undefined,
  plan: async (world, shop) => {
    const { slot, kind, feeCents, autoApprove, holdDays } = of;
    const payment = pick(world.payments, slot);
    const partner = pick(shop.partners, of.partner);
    await shop.offer(kind, { autoApprove, holdDays });
    world.offer = { kind, autoApprove, holdDays };
    // What Stripe told of it before has fixed the terms.
    payment.offered ??= world.offer;
    const { offered } = payment;
    const { amountCents, currency } = payment.sale;
    const said = { amountCents, currency, feeCents, promoCode: partner.code };
    const sent = { ...buildReport(said), externalTransactionId: shop.idOf(nameOf(payment.sale)) };
    return {
      call: () => recordConversion(shop.db, shop.context(), sent),
      expected: 'ok',
      follow: (sold: Sold) =>
        addSold(world, { of: { ...of, ...offered }, payment, sold, feeCents }),
    };
  },
});

function nameOf({ slot, charges, invoice }: Sale): string {
  if (invoice) return `in_${slot}`;
  return charges.length === 0 ? `order_${slot}` : `pi_${slot}`;
}

/** Stripe tells the checkout, by a click of the partner; who is not approved is credited with nothing. */
export const checkOut = (of: ReportOptions): Step => ({
  name: `check out ${JSON.stringify(of)}`,
  canRun: ({ reported, payments }) =>
    !reported.has(of.slot) && payments[of.slot]?.sale.checkoutCents !== undefined,
  plan: async (world, shop) => {
    const { slot, kind, autoApprove, holdDays } = of;
    const payment = pick(world.payments, slot);
    await shop.offer(kind, { autoApprove, holdDays });
    world.offer = { kind, autoApprove, holdDays };
    payment.offered ??= world.offer;
    const { offered } = payment;
    const { amountCents: amount, checkoutCents = amount, currency } = payment.sale;
    const paymentIntent = shop.idOf(`pi_${slot}`);
    const event = checkoutCompleted({
      session: shop.idOf(`cs_${slot}`),
      paymentIntent,
      invoice: shop.idOf(`in_${slot}`),
      click: pick(shop.partners, of.partner).clickId,
      amount,
      tax: checkoutCents - amount,
      currency,
      at: shop.timeOf(shop.tick()),
    });
    const call = async (): Promise<Sold> => {
      await shop.tellStripe(event);
      return shop.soldAs(paymentIntent);
    };
    const follow = (sold: Sold): void =>
      addSold(world, { of: { ...of, ...offered }, payment, sold, feeCents: payment.feeCents });
    return { call, expected: 'ok', follow };
  },
});

interface Sold {
  id: string;
  commission: { id: string } | null;
}

function addSold(
  world: World,
  made: { of: ReportOptions; payment: Payment; sold: Sold; feeCents: number | null },
): void {
  const { of, payment, feeCents } = made;
  const { id, commission } = made.sold;
  const partner = pick(world.partners, of.partner);
  world.reported.set(of.slot, { conversionId: id });
  expect(commission !== null).toBe(!partner.isSuspended && !partner.isErased);
  if (!commission) return;
  const entry = new Entry({
    partner,
    payment,
    kind: of.kind,
    currency: of.kind === 'flat' ? 'usd' : payment.sale.currency,
    feeCents,
    isAutomatic: of.autoApprove,
    holds: of.holdDays > 0,
  });
  entry.id = commission.id;
  entry.advance();
  entry.settle();
  world.entries.push(entry);
}

/** A refund by the merchant's own way; null is all that is left of it. */
export const refund = (slot: number, cents: number | null): Step => ({
  name: `refund ${slot} ${String(cents)}`,
  canRun: ({ reported }) => reported.has(slot),
  plan: (world, shop) => {
    const payment = pick(world.payments, slot);
    const left = payment.baseCents - payment.apiRefundedCents;
    const externalRefundId = `refund-${payment.apiRefunds.size}`;
    const conversionId = world.reported.get(slot)?.conversionId ?? '';
    const command = { conversionId, externalRefundId, amountCents: cents, reason: null };
    const amount = cents ?? left;
    return {
      call: () => refundConversion(shop.db, shop.context(), command),
      expected: amount < 1 || amount > left ? 'REFUND_EXCEEDS_AMOUNT' : 'ok',
      follow: () => {
        payment.apiRefunds.set(externalRefundId, amount);
        settleAll(world, slot);
      },
    };
  },
});

/** Every entry of a payment sees its news. */
export function settleAll({ entries }: World, slot: number): void {
  for (const entry of entries) if (entry.of.payment?.sale.slot === slot) entry.settle();
}

type Decision = 'approve' | 'approve_override' | 'reject';

export const decide = (decision: Decision, index: number): Step => ({
  name: `${decision} ${index}`,
  canRun: hasEntries,
  plan: (world, shop) => {
    const entry = pick(world.entries, index);
    const reason = decision === 'approve' ? null : 'because';
    const command = { commissionId: entry.id, decision, reason };
    return {
      call: () => decideCommission(shop.db, shop.context(), command),
      expected: refusalOf(decision, entry) ?? 'ok',
      follow: () => {
        if (decision === 'reject') reject(entry);
        else approve(entry);
      },
    };
  },
});

function refusalOf(decision: Decision, entry: Entry): string | undefined {
  const { status, holds, flags, payout, of } = entry;
  const isPaying = payout !== null && status === 'approved';
  if (decision === 'reject') {
    if (status !== 'pending' && status !== 'approved') return 'COMMISSION_TERMINAL';
    return isPaying ? 'COMMISSION_IN_PAYOUT' : undefined;
  }
  if (status !== 'pending') return 'COMMISSION_NOT_PENDING';
  if (of.partner.isErased) return 'PARTICIPANT_ERASED';
  if (decision === 'approve') return holds ? 'COMMISSION_HOLD_ACTIVE' : undefined;
  if (flags.size > 0) return 'COMMISSION_NEEDS_REVIEW';
  return holds ? undefined : 'COMMISSION_HOLD_NOT_ACTIVE';
}

function reject(entry: Entry): void {
  entry.rejectedAtCents = entry.amountCents;
  entry.flags.clear();
}

/** Approves an entry and ends its flags, but for DISPUTED: only its close ends a dispute. */
function approve(entry: Entry): void {
  entry.base = 'approved';
  for (const flag of entry.flags) if (flag !== 'DISPUTED') entry.flags.delete(flag);
}

export const elapse = (index: number): Step => ({
  name: `elapse ${index}`,
  canRun: hasEntries,
  plan: (world, shop) => {
    const entry = pick(world.entries, index);
    const refusal = entry.holds ? undefined : 'COMMISSION_HOLD_NOT_ACTIVE';
    const key = { programId: shop.program.id, commissionId: entry.id };
    return {
      call: () => elapseHold(shop.db, shop.context(), key),
      expected: entry.status === 'pending' ? (refusal ?? 'ok') : 'COMMISSION_NOT_PENDING',
      follow: () => {
        entry.holds = false;
        entry.advance();
      },
    };
  },
});

export const judge = (decision: 'suspend' | 'reinstate', index: number): Step => ({
  name: `${decision} ${index}`,
  canRun: always,
  plan: (world, shop) => {
    const partner = pick(world.partners, index);
    const isMove = partner.isSuspended === (decision === 'reinstate');
    const refusal = isMove ? 'ok' : 'PARTICIPANT_INVALID_TRANSITION';
    const command = { programId: shop.program.id, participantId: partner.id, decision };
    return {
      call: () => decideParticipant(shop.db, shop.context(), command),
      expected: partner.isErased ? 'PARTICIPANT_ERASED' : refusal,
      follow: () => {
        partner.isSuspended = decision === 'suspend';
        if (decision === 'suspend') return;
        for (const entry of world.entries.filter(({ of }) => of.partner === partner)) {
          entry.flags.delete('PARTNER_SUSPENDED');
          entry.advance();
        }
      },
    };
  },
});

export const erase = (index: number): Step => ({
  name: `erase ${index}`,
  canRun: always,
  plan: (world, shop) => {
    const partner = pick(world.partners, index);
    const items = world.payouts.flatMap((payout) => payout.items);
    const isPaid = items.some((item) => item.partner === partner && item.status === 'ready');
    const refusal = isPaid ? 'ERASURE_BLOCKED_PAYOUT' : 'ok';
    return {
      call: () => shop.erase(partner),
      expected: partner.isErased ? 'ALREADY_ERASED' : refusal,
      follow: () => (partner.isErased = true),
    };
  },
});

export const adjust = (of: { partner: number; cents: number; currency: string }): Step => ({
  name: `adjust ${JSON.stringify(of)}`,
  canRun: always,
  plan: (world, shop) => {
    const { cents, currency } = of;
    const partner = pick(world.partners, of.partner);
    const externalId = `adjustment-${(world.adjustments += 1)}`;
    const own = { programId: shop.program.id, participantId: partner.id, reason: 'agreed' };
    const command = { ...own, amountCents: cents, currency, externalId };
    return {
      call: () => adjustBalance(shop.db, shop.context(), command),
      expected: partner.isErased ? 'PARTICIPANT_ERASED' : 'ok',
      follow: ({ record }: { record: { id: string } }) => {
        const entry = new Entry({ partner, payment: null, kind: 'adjustment', currency, cents });
        entry.id = record.id;
        entry.base = 'approved';
        world.entries.push(entry);
      },
    };
  },
});

/** Pays all that is payable, or those that are named. */
export const pay = (named: readonly number[] | null): Step => ({
  name: `pay ${JSON.stringify(named)}`,
  canRun: (world) => named === null || hasEntries(world),
  plan: (world, shop) => {
    const { entries } = world;
    const chosen = named && new Set(named.map((index) => pick(entries, index)));
    const groups = planOf(entries, chosen);
    const isRefused = [...(chosen ?? [])].some((entry) => !entry.isPayable);
    const refusal = groups.length === 0 ? 'PAYOUT_EMPTY' : 'ok';
    const commissionIds = chosen ? [...chosen].map(({ id }) => id) : undefined;
    const command = { program: shop.program, commissionIds, reference: null };
    return {
      call: () => createPayout(shop.db, shop.context(), command),
      expected: isRefused ? 'COMMISSION_NOT_PAYABLE' : refusal,
      follow: (made: PaidRecord) => {
        const payout: Payout = { id: made.id, items: [] };
        takeInto(payout, groups);
        world.payouts.push(payout);
        nameItems(payout, made);
      },
    };
  },
});

interface PaidRecord {
  id: string;
  items: { id: string; participantId: string; currency: string; commissionIds?: string[] }[];
}

/** Each item of the model is the one of its partner and currency, with the same commissions. */
function nameItems({ items }: Payout, made: PaidRecord): void {
  expect(made.items).toHaveLength(items.length);
  for (const item of items) {
    const { id: participantId } = item.partner;
    const twin = made.items.find(
      (one) => one.participantId === participantId && one.currency === item.currency,
    );
    const ids = [...item.lines.keys()].map(({ id }) => id);
    expect(twin?.commissionIds?.toSorted()).toEqual(ids.sort());
    item.id = twin?.id ?? '';
  }
}

export const end = (how: 'complete' | 'cancel', index: number): Step => ({
  name: `${how} ${index}`,
  canRun: hasPayouts,
  plan: ({ payouts }, shop) => {
    const payout = pick(payouts, index);
    const ready = payout.items.filter(({ status }) => status === 'ready');
    const endPayout = how === 'complete' ? completePayout : cancelPayout;
    return {
      call: () => endPayout(shop.db, shop.context(), { payoutId: payout.id }),
      expected: ready.length > 0 ? 'ok' : 'PAYOUT_NOT_PROCESSING',
      follow: () => {
        for (const item of ready) moveItem(item, how === 'complete' ? 'paid' : 'cancelled');
      },
    };
  },
});

export const mark = (status: 'paid' | 'failed' | 'returned', index: number): Step => ({
  name: `mark ${status} ${index}`,
  canRun: hasPayouts,
  plan: ({ payouts }, shop) => {
    const item = pick(
      payouts.flatMap((payout) => payout.items),
      index,
    );
    const isRepeat = item.status === status;
    const isMove = item.canBecome.includes(status);
    const command = { payoutId: item.payout.id, itemId: item.id, status };
    return {
      call: () => markItem(shop.db, shop.context(), command),
      expected: isRepeat || isMove ? 'ok' : 'PAYOUT_ITEM_INVALID_TRANSITION',
      follow: () => {
        if (!isRepeat) moveItem(item, status);
      },
    };
  },
});
