import {
  chargeRefunded,
  chargeUpdated,
  disputeClosed,
  disputeCreated,
  refundFailed,
} from '../../../support/stripe/events';
import type { Fact } from './payments';
import type { Shop } from './shop';
import { settleAll, type Plan, type Step } from './steps';
import type { StripeSide, Telling, World } from './world';

const feeCents = 349;

interface At {
  world: World;
  shop: Shop;
  slot: number;
}

/** What happens at Stripe; told at once, or late and then in any order. */
interface Happening {
  name: string;
  can: (side: StripeSide, chargedCents: number) => boolean;
  happen: (at: At) => Omit<Telling, 'payment'>;
}

const idsOf = ({ shop, slot }: At) => ({
  charge: shop.idOf(`ch_${slot}`),
  paymentIntent: shop.idOf(`pi_${slot}`),
});

const sideOf = ({ world, slot }: At) => world.stripe[slot] as StripeSide;
const saleOf = ({ world, slot }: At) =>
  world.payments[slot]?.sale as { chargedCents: number; currency: string };

/** The charge as it is now, refunds of before included. */
function chargeAt(
  at: At,
  fee: number | null,
): { fact: Fact; common: Parameters<typeof chargeUpdated>[0] } {
  const { chargedCents, currency } = saleOf(at);
  const refundedCents = sideOf(at).standingCents;
  const second = at.shop.tick();
  const common = { ...idsOf(at), amount: chargedCents, refunded: refundedCents, currency };
  const fact: Fact = { at: second, kind: 'charge', refundedCents, feeCents: fee };
  return { fact, common: { ...common, at: at.shop.timeOf(second) } };
}

/** A third of the charge, or all that is left of it. */
export const refundAt = (isWhole: boolean): Happening => ({
  name: isWhole ? 'refunds the rest' : 'refunds a third',
  can: (side, charged) => side.standingCents < charged,
  happen: (at) => {
    const side = sideOf(at);
    const { chargedCents } = saleOf(at);
    const left = chargedCents - side.standingCents;
    const cents = isWhole ? left : Math.min(left, Math.floor(chargedCents / 3));
    const id = at.shop.idOf(`re_${at.slot}_${side.refunds.length}`);
    side.refunds.push({ id, cents, hasFailed: false });
    const { fact, common } = chargeAt(at, null);
    return { fact, event: chargeRefunded(common) };
  },
});

export const refundFails: Happening = {
  name: 'fails to refund',
  can: ({ refunds }) => refunds.some(({ hasFailed }) => !hasFailed),
  happen: (at) => {
    const refund = sideOf(at).refunds.find(({ hasFailed }) => !hasFailed);
    if (!refund) throw new Error('no refund stands');
    refund.hasFailed = true;
    const second = at.shop.tick();
    const { id, cents: amount } = refund;
    const time = at.shop.timeOf(second);
    const { currency } = saleOf(at);
    return {
      fact: { at: second, kind: 'failure', cents: amount },
      event: refundFailed({ ...idsOf(at), refund: id, amount, at: time, object: { currency } }),
    };
  },
};

export const feeIsKnown: Happening = {
  name: 'tells the fee',
  can: () => true,
  happen: (at) => {
    const { currency } = saleOf(at);
    const { fact, common } = chargeAt(at, feeCents);
    const balanceTransaction = { id: at.shop.idOf(`txn_${at.slot}`), fee: feeCents, currency };
    return { fact, event: chargeUpdated({ ...common, balanceTransaction }) };
  },
};

export const disputeOpens = (isWhole: boolean): Happening => ({
  name: isWhole ? 'opens a dispute of all' : 'opens a dispute of half',
  can: ({ dispute }) => dispute === null,
  happen: (at) => {
    const side = sideOf(at);
    const { chargedCents, currency } = saleOf(at);
    const cents = isWhole ? chargedCents : Math.floor(chargedCents / 2);
    const id = at.shop.idOf(`du_${at.slot}_${(side.disputes += 1)}`);
    side.dispute = { id, cents };
    const second = at.shop.tick();
    const common = { ...idsOf(at), amount: cents, at: at.shop.timeOf(second) };
    return {
      fact: { at: second, kind: 'opened', dispute: id, cents },
      event: disputeCreated({ ...common, dispute: id, object: { currency } }),
    };
  },
});

export const disputeEnds = (isLost: boolean): Happening => ({
  name: isLost ? 'ends the dispute for the buyer' : 'ends the dispute for the shop',
  can: ({ dispute }) => dispute !== null,
  happen: (at) => {
    const side = sideOf(at);
    if (!side.dispute) throw new Error('no dispute is open');
    const { id, cents } = side.dispute;
    side.dispute = null;
    const second = at.shop.tick();
    const common = { ...idsOf(at), amount: cents, at: at.shop.timeOf(second) };
    const status = isLost ? 'lost' : 'won';
    const { currency } = saleOf(at);
    return {
      fact: { at: second, kind: 'closed', dispute: id, cents, isLost },
      event: disputeClosed({ ...common, dispute: id, status, object: { currency } }),
    };
  },
});

export const stripe = (of: Happening, slot: number, isLate: boolean): Step => ({
  name: `Stripe ${of.name} of ${slot}${isLate ? ', told late' : ''}`,
  canRun: ({ payments, stripe: sides }) => {
    const [payment, side] = [payments[slot], sides[slot]];
    const charged = payment?.sale.chargedCents ?? 0;
    return side !== undefined && charged > 0 && of.can(side, charged);
  },
  plan: (world, shop) => {
    const payment = world.payments[slot];
    if (!payment) throw new Error('no such payment');
    const telling = { payment, ...of.happen({ world, shop, slot }) };
    if (!isLate) return tell(world, shop, telling);
    world.late.push(telling);
    return { call: () => Promise.resolve(), expected: 'ok' };
  },
});

/** One of those that are late arrives. */
export const arrive = (index: number): Step => ({
  name: `Stripe tells late ${index}`,
  canRun: ({ late }) => late.length > 0,
  plan: (world, shop) => {
    const [telling] = world.late.splice(index % world.late.length, 1);
    if (!telling) throw new Error('nothing is late');
    return tell(world, shop, telling);
  },
});

function tell(world: World, shop: Shop, { payment, fact, event }: Telling): Plan {
  return {
    call: () => shop.tellStripe(event),
    expected: 'ok',
    follow: () => {
      payment.told.add(fact);
      settleAll(world, payment.sale.slot);
    },
  };
}
