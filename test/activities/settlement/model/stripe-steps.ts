import {
  chargeRefunded,
  chargeUpdated,
  disputeClosed,
  disputeCreated,
  invoicePaid,
  refundFailed,
} from '../../../support/stripe/events';
import { charges, type Charge, type Fact, type Sale } from './payments';
import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import type { Shop } from './shop';
import { settleAll, type Plan, type Step } from './steps';
import type { StripeSide, Telling, World } from './world';

const feeCents = 349;

interface At {
  world: World;
  shop: Shop;
  charge: Charge;
  side: StripeSide;
  sale: Sale;
}

/** What happens at Stripe; told at once, or late and then in any order. */
interface Happening {
  name: string;
  can: (side: StripeSide, charge: Charge, sale: Sale) => boolean;
  happen: (at: At) => { fact: FactOfPart; event: StripeTestEvent };
  namesInvoice: boolean;
}

type FactOfPart = Fact extends infer One ? (One extends Fact ? Omit<One, 'part'> : never) : never;

const idsOf = ({ shop, charge: { slot, part }, sale }: At) => {
  const name = sale.charges.length > 1 ? `${slot}_${part}` : `${slot}`;
  return { charge: shop.idOf(`ch_${name}`), paymentIntent: shop.idOf(`pi_${name}`) };
};

/** The charge as it is now, refunds of before included; one of several names its invoice. */
function chargeAt(
  at: At,
  fee: number | null,
): { fact: FactOfPart; common: Parameters<typeof chargeUpdated>[0] } {
  const { shop, charge, sale, side } = at;
  const refundedCents = side.standingCents;
  const second = shop.tick();
  const { currency } = sale;
  const common = { ...idsOf(at), amount: charge.cents, refunded: refundedCents, currency };
  const invoice = sale.charges.length > 1 ? shop.idOf(`in_${sale.slot}`) : null;
  const fact: FactOfPart = { at: second, kind: 'charge', refundedCents, feeCents: fee };
  return { fact, common: { ...common, at: shop.timeOf(second), object: { invoice } } };
}

/** A third of the charge, or all that is left of it. */
export const refundAt = (isWhole: boolean): Happening => ({
  name: isWhole ? 'refunds the rest' : 'refunds a third',
  can: (side, { cents }) => side.standingCents < cents,
  namesInvoice: true,
  happen: (at) => {
    const { side, charge } = at;
    const left = charge.cents - side.standingCents;
    const cents = isWhole ? left : Math.min(left, Math.floor(charge.cents / 3));
    const id = at.shop.idOf(`re_${charge.slot}_${charge.part}_${side.refunds.length}`);
    side.refunds.push({ id, cents, hasFailed: false });
    const { fact, common } = chargeAt(at, null);
    return { fact, event: chargeRefunded(common) };
  },
});

export const refundFails: Happening = {
  name: 'fails to refund',
  can: ({ refunds }) => refunds.some(({ hasFailed }) => !hasFailed),
  namesInvoice: false,
  happen: (at) => {
    const refund = at.side.refunds.find(({ hasFailed }) => !hasFailed);
    if (!refund) throw new Error('no refund stands');
    refund.hasFailed = true;
    const second = at.shop.tick();
    const { id, cents: amount } = refund;
    const time = at.shop.timeOf(second);
    const { currency } = at.sale;
    return {
      fact: { at: second, kind: 'failure', cents: amount },
      event: refundFailed({ ...idsOf(at), refund: id, amount, at: time, object: { currency } }),
    };
  },
};

export const feeIsKnown: Happening = {
  name: 'tells the fee',
  // What of several is known, and when, has tables of its own.
  can: (_side, _charge, sale) => sale.charges.length === 1,
  namesInvoice: true,
  happen: (at) => {
    const { currency } = at.sale;
    const { fact, common } = chargeAt(at, feeCents);
    const balanceTransaction = { id: at.shop.idOf(`txn_${at.sale.slot}`), fee: feeCents, currency };
    return { fact, event: chargeUpdated({ ...common, balanceTransaction }) };
  },
};

export const disputeOpens = (isWhole: boolean): Happening => ({
  name: isWhole ? 'opens a dispute of all' : 'opens a dispute of half',
  can: ({ dispute }) => dispute === null,
  namesInvoice: false,
  happen: (at) => {
    const { side, charge } = at;
    const { currency } = at.sale;
    const cents = isWhole ? charge.cents : Math.floor(charge.cents / 2);
    const id = at.shop.idOf(`du_${charge.slot}_${charge.part}_${(side.disputes += 1)}`);
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
  namesInvoice: false,
  happen: (at) => {
    const { side } = at;
    if (!side.dispute) throw new Error('no dispute is open');
    const { id, cents } = side.dispute;
    side.dispute = null;
    const second = at.shop.tick();
    const common = { ...idsOf(at), amount: cents, at: at.shop.timeOf(second) };
    const status = isLost ? 'lost' : 'won';
    const { currency } = at.sale;
    return {
      fact: { at: second, kind: 'closed', dispute: id, cents, isLost },
      event: disputeClosed({ ...common, dispute: id, status, object: { currency } }),
    };
  },
});

/** Something happens to one of the charges. */
export const stripe = (of: Happening, index: number, isLate: boolean): Step => {
  const charge = charges[index % charges.length] as Charge;
  const { slot, part } = charge;
  return {
    name: `Stripe ${of.name} of ${slot}.${part}${isLate ? ', told late' : ''}`,
    canRun: (world) => {
      const { side, sale } = placeOf(world, charge);
      return of.can(side, charge, sale) && (isLate || isKnownOf(world, charge, of));
    },
    plan: (world, shop) => {
      const { side, sale, payment } = placeOf(world, charge);
      const { fact, event } = of.happen({ world, shop, charge, side, sale });
      const add = () => payment.told.add({ ...fact, part } as Fact);
      const telling = {
        payment,
        event,
        add,
        isKnownOf: (now: World) => isKnownOf(now, charge, of),
      };
      return tellOrKeep(world, shop, telling, isLate);
    },
  };
};

/** Disputes and refunds name a charge; which invoice one of several charges is of, the charge itself says. */
function isKnownOf(world: World, charge: Charge, { namesInvoice }: Happening): boolean {
  const { payment, sale } = placeOf(world, charge);
  if (namesInvoice || sale.charges.length === 1 || world.reported.has(sale.slot)) return true;
  return [...payment.told].some(({ kind, part }) => kind === 'charge' && part === charge.part);
}

function placeOf({ payments, stripe: sides }: World, charge: Charge) {
  const payment = payments[charge.slot];
  const side = sides[charges.indexOf(charge)];
  if (!payment || !side) throw new Error('no such charge');
  return { payment, side, sale: payment.sale };
}

/** The invoice of a sale that has one, paid in the beginning. */
export const invoiceIsPaid = (slot: number, isLate: boolean): Step => ({
  name: `Stripe tells the invoice of ${slot}${isLate ? ' late' : ''}`,
  canRun: ({ payments, invoiced }) =>
    payments[slot]?.sale.invoice !== undefined && !invoiced.has(slot),
  plan: (world, shop) => {
    const payment = world.payments[slot];
    if (!payment?.sale.invoice) throw new Error('no such invoice');
    world.invoiced.add(slot);
    const { amountCents: amount, currency, invoice: of } = payment.sale;
    const [tax, amountPaid] = [of.totalCents - amount, of.paidCents];
    const paidAt = shop.timeOf(0);
    const invoice = shop.idOf(`in_${slot}`);
    const event = invoicePaid({ invoice, amount, tax, amountPaid, currency, paidAt, at: paidAt });
    const add = () => (payment.isInvoiceTold = true);
    return tellOrKeep(world, shop, { payment, event, add, isKnownOf: () => true }, isLate);
  },
});

function tellOrKeep(world: World, shop: Shop, telling: Telling, isLate: boolean): Plan {
  if (!isLate) return tell(world, shop, telling);
  world.late.push(telling);
  return { call: () => Promise.resolve(), expected: 'ok' };
}

/** One of those that are late arrives. */
export const arrive = (index: number): Step => ({
  name: `Stripe tells late ${index}`,
  canRun: (world) => world.late[index % world.late.length]?.isKnownOf(world) === true,
  plan: (world, shop) => {
    const [telling] = world.late.splice(index % world.late.length, 1);
    if (!telling) throw new Error('nothing is late');
    return tell(world, shop, telling);
  },
});

function tell(world: World, shop: Shop, { payment, event, add }: Telling): Plan {
  return {
    call: () => shop.tellStripe(event),
    expected: 'ok',
    follow: () => {
      add();
      payment.offered ??= world.offer;
      settleAll(world, payment.sale.slot);
    },
  };
}
