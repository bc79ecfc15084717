import { decideCommission } from '../../../activities/commissions/decide';
import { signUpCustomer } from '../../../activities/purchases/sign-up';
import { bindByHand, unbindByHand } from '../../../activities/purchases/bind-by-hand';
import { query } from '../../../entities/database/sql';
import { AppError } from '../../../entities/errors';
import { buildReport, recordConversion } from '../../support/build/conversions';
import {
  chargeRefunded,
  chargeSucceeded,
  checkoutCompleted,
  disputeClosed,
  invoicePaid,
  invoicePaymentPaid,
} from '../../support/stripe/events';
import type { CustomerModel, Partner, Payment } from './model';
import { contextOf, dayOf, reportedAt, signedUpAt, type Setting } from './setting';

/** One of a kind of things that happen, and which of several: in which month it happened. */
export interface Step {
  kind: Kind;
  n: number;
}

interface Doing {
  /** Adds to the model what it is; false where nothing can happen. */
  know: (model: CustomerModel, n: number, isSideBySide: boolean) => boolean | void;
  tell: (setting: Setting, n: number) => Promise<unknown>;
}

const clicked = (kind: string, by: Partner, n: number): Payment => ({
  id: `${kind}-${n}`,
  kind: 'click',
  paidAt: dayOf(n, by === 'partner' ? 5 : 6),
  cents: 10_000 + 100 * n,
  clicked: by,
});
const byCustomer = (n: number): Payment => ({
  id: `order-${n}`,
  kind: 'report',
  paidAt: dayOf(n, 7),
  cents: 5_000 + n,
});
/** The last one is a guest's, who is no customer of Stripe's; one is paid in another currency. */
const checkedOut = (n: number): Payment => ({
  id: `pi_${n}`,
  kind: n === 3 ? 'guest' : 'checkout',
  paidAt: dayOf(n, 8),
  cents: 7_000 + 10 * n,
  currency: n === 2 ? 'eur' : 'usd',
});
/** Stripe's customer alone is named. */
const stripes = (n: number): Payment => ({
  id: `pi_s${n}`,
  kind: 'stripes',
  paidAt: dayOf(n, 4),
  cents: 8_000 + 10 * n,
  clicked: 'rival',
});
/** The first one is paid eight days late. */
const invoiced = (n: number): Payment => ({
  id: `in_${n}`,
  kind: 'invoice',
  paidAt: dayOf(n, n === 0 ? 9 : 1),
  periodAt: dayOf(n, 1),
  cents: 2_000 + 20 * n,
});
/** A charge with tax, which lifts the sum over the threshold of the rule. */
const charged = (n: number): Payment => ({
  id: `pi_c${n}`,
  kind: 'charge',
  paidAt: dayOf(n, 10),
  cents: 7_900 + 10 * n,
  clicked: 'partner',
});
const coded = (n: number): Payment => ({
  id: `pi_c${n}`,
  kind: 'checkout',
  paidAt: dayOf(n, 10),
  cents: 6_600 + 10 * n,
  clicked: 'rival',
  by: 'promo_code',
});
/** Credit pays all of it: a checkout that says otherwise is put right by its invoice. */
const onCredit = (n: number): Payment => ({
  id: `in_f${n}`,
  kind: 'checkout',
  paidAt: dayOf(n, 3),
  cents: 10_000,
  clicked: 'partner',
});
/** There is one: all that is told of twins is of it. */
const twin = { id: 'twin-0', at: dayOf(1, 12), cents: 9_000 };

/** A charge names no customer of Stripe's here. */
const nobodys = { customer: null };

/** One that nothing credits is refused, and sent again in the end, as a merchant would. */
export async function report(setting: Setting, payment: Payment): Promise<void> {
  const { refused, model } = setting;
  const { id, clicked: by, paidAt, cents } = payment;
  try {
    await recordConversion(setting.db, contextOf(setting), {
      ...buildReport({ customerId: 'user', occurredAt: paidAt, amountCents: cents }),
      externalTransactionId: setting.id(id),
      clickId: by ? setting.clicks[by] : null,
    });
    refused.delete(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'NO_ATTRIBUTION_SIGNAL') return;
    model.refuse(id);
    refused.set(id, payment);
  }
}

export async function sendRefusedAgain(setting: Setting): Promise<void> {
  for (const sale of [...setting.refused.values(), ...setting.refused.values()]) {
    setting.model.pay(sale);
    await report(setting, sale);
    await setting.settle();
  }
}

const reported = (of: (n: number) => Payment): Doing => ({
  know: (model, n) => model.pay(of(n)),
  tell: (setting, n) => report(setting, of(n)),
});

/** Each with what it is to the model, and how it is told to the service. */
const steps = {
  signUp: {
    know: (model, n) => model.signUp({ at: signedUpAt, now: reportedAt, isStripeNamed: n === 1 }),
    tell: (setting, n) =>
      signUpCustomer(setting.db, contextOf(setting), {
        customerId: 'user',
        aliases: n === 1 ? [setting.cus] : [],
        clickId: setting.clicks.partner,
        promoCode: null,
        occurredAt: signedUpAt,
        prospect: null,
      }),
  },
  saleByClick: reported((n) => clicked('sale', 'partner', n)),
  saleByRivalsClick: reported((n) => clicked('rivals', 'rival', n)),
  saleByCustomer: reported(byCustomer),
  checkout: {
    know: (model, n) => model.pay(checkedOut(n)),
    tell: ({ send, cus, id }, n) => {
      const { id: pi, kind, paidAt: at, cents: amount, currency = 'usd' } = checkedOut(n);
      const names = { reference: 'user', customer: kind === 'guest' ? null : cus };
      const paid = { session: id(`cs_test_${n}`), paymentIntent: id(pi), amount, currency, at };
      return send(checkoutCompleted({ ...names, ...paid }));
    },
  },
  /** A checkout before the account exists. */
  stripesCheckout: {
    know: (model, n) => model.pay(stripes(n)),
    tell: ({ send, cus: customer, id, clicks }, n) => {
      const { id: pi, paidAt: at, cents: amount } = stripes(n);
      const paid = { session: id(`cs_test_s${n}`), paymentIntent: id(pi), amount, at };
      return send(checkoutCompleted({ customer, click: clicks.rival, ...paid }));
    },
  },
  invoice: {
    know: (model, n) => model.pay(invoiced(n)),
    tell: ({ send, cus: customer, id }, n) => {
      const { id: invoice, paidAt, periodAt: periodStart, cents: amount } = invoiced(n);
      const paid = {
        invoice: id(invoice),
        paidAt,
        amount,
        ...(periodStart ? { periodStart } : {}),
      };
      return send(invoicePaid({ customer, subscription: id('sub_1'), ...paid }));
    },
  },
  /** A report by the shop's server, with the click that it has stored for long. */
  expiredReport: {
    know: (model, n) => model.reportInVain(invoiced(n).id),
    tell: (setting, n) => {
      const { id, paidAt: occurredAt, cents: amountCents } = invoiced(n);
      return recordConversion(setting.db, contextOf(setting), {
        ...buildReport({ occurredAt, amountCents }),
        externalTransactionId: setting.id(id),
        clickId: setting.expiredClick,
      });
    },
  },
  /** One of an invoice's two parts is given back; the other is paid outside of Stripe. */
  partBack: {
    know: (model, n) => {
      const { id, cents } = invoiced(n);
      model.giveBack(id, { cents: 800, of: cents, charge: 800 });
    },
    tell: ({ send, id }, n) => {
      const [paymentIntent, charge] = [id(`pi_p${n}`), id(`ch_p${n}`)];
      const part = { charge, paymentIntent, amount: 800, at: dayOf(n, 22) };
      const joins = invoicePaymentPaid({ invoice: id(invoiced(n).id), paymentIntent });
      return send(joins, chargeRefunded({ ...part, refunded: 800, object: nobodys }));
    },
  },
  /** Lost in another currency; of every other one the balance says that half of it is gone. */
  disputeAbroad: {
    know: (model, n) => {
      const { id, cents } = checkedOut(n);
      model.giveBack(id, { cents: n % 2 === 0 ? 2 : 1, of: 2, charge: cents });
    },
    tell: ({ send, id }, n) => {
      const { id: pi, cents: amount, currency = 'usd' } = checkedOut(n);
      const [charge, dispute] = [id(`ch_${n}`), id(`du_${n}`)];
      const ids = { charge, paymentIntent: id(pi), at: dayOf(n, 23) };
      const balance = (cents: number) => ({ id: id(`txn_${n}_${cents}`), amount: cents, currency });
      const moved = n % 2 === 0 ? [] : [balance(-amount / 2)];
      const object = { currency: 'gbp', balance_transactions: moved };
      const lost = disputeClosed({ ...ids, dispute, amount: 1, status: 'lost', object });
      if (n % 2 === 0) return send(lost);
      const balanceTransaction = { ...balance(amount), fee: 0 };
      const paid = { ...ids, amount, currency, balanceTransaction, object: nobodys };
      return send(chargeSucceeded(paid), lost);
    },
  },
  /** The click stands on the payment intent too. */
  charge: {
    know: (model, n) => model.pay(charged(n)),
    tell: ({ send, id, clicks }, n) => {
      const { id: pi, cents: amount, paidAt: at } = charged(n);
      const object = { ...nobodys, metadata: { aff_click_id: clicks.partner } };
      return send(
        chargeSucceeded({ charge: id(`ch_c${n}`), paymentIntent: id(pi), amount, at, object }),
      );
    },
  },
  /** A checkout with the same click, and the code that the buyer typed. */
  codedCheckout: {
    know: (model, n) => model.pay(coded(n)),
    tell: ({ send, id, cus: customer, clicks, code }, n) => {
      const { id: pi, cents: amount, paidAt: at } = coded(n);
      const tax = charged(n).cents - amount;
      const object = { discounts: [{ promotion_code: { id: 'promo_1', code } }] };
      const paid = { session: id(`cs_test_c${n}`), paymentIntent: id(pi), amount, tax, at, object };
      return send(
        checkoutCompleted({ customer, reference: 'user', click: clicks.partner, ...paid }),
      );
    },
  },
  creditCheckout: {
    know: (model, n) => model.pay(onCredit(n)),
    tell: ({ send, id, cus: customer, clicks }, n) => {
      const { id: invoice, cents: amount, paidAt: at } = onCredit(n);
      const paid = { session: id(`cs_test_f${n}`), invoice: id(invoice), amount, at };
      const names = { customer, reference: 'user', click: clicks.partner, paymentIntent: null };
      return send(checkoutCompleted({ ...names, ...paid }));
    },
  },
  creditInvoice: {
    know: (model, n) => model.cover(onCredit(n).id),
    tell: ({ send, id, cus: customer }, n) => {
      const { id: invoice, cents: amount, paidAt } = onCredit(n);
      const covered = { amountPaid: 0, object: { amount_due: 0, starting_balance: -amount } };
      return send(invoicePaid({ invoice: id(invoice), customer, amount, paidAt, ...covered }));
    },
  },
  twinReport: {
    know: ({ twins }, _, isSideBySide) => twins.tell(twin.id, twin.cents, 'report', isSideBySide),
    tell: (setting) => {
      const { at: occurredAt, cents: amountCents } = twin;
      return recordConversion(setting.db, contextOf(setting), {
        ...buildReport({ occurredAt, amountCents }),
        externalTransactionId: setting.id(`pi_t0`),
        clickId: setting.clicks.partner,
      });
    },
  },
  twinInvoice: {
    know: ({ twins }, _, isSideBySide) => twins.tell(twin.id, twin.cents, 'invoice', isSideBySide),
    tell: ({ send, id, clicks }) => {
      const { at: paidAt, cents: amount } = twin;
      return send(invoicePaid({ invoice: id(`in_t0`), click: clicks.partner, amount, paidAt }));
    },
  },
  twinJoin: {
    know: ({ twins }) => twins.join(twin.id),
    tell: ({ send, id }) =>
      send(invoicePaymentPaid({ invoice: id(`in_t0`), paymentIntent: id(`pi_t0`) })),
  },
  twinReject: {
    know: ({ twins }) => {
      const isMade = twins.canReject(twin.id);
      if (isMade) twins.reject(twin.id);
      return isMade;
    },
    tell: async (setting) => {
      const [made] = await query<{ id: string }>(
        setting.db,
        `SELECT m.id FROM commissions AS m JOIN conversions AS v ON v.id = m.conversion_id
          WHERE v.workspace_id = $1 AND v.external_transaction_id = $2 AND v.source = 'api'`,
        [setting.shop.scope.workspaceId, setting.id(`pi_t0`)],
      );
      const command = {
        commissionId: made?.id ?? '',
        decision: 'reject',
        reason: 'twice',
      } as const;
      await decideCommission(setting.db, contextOf(setting), command);
    },
  },
  rebind: {
    know: (model, n) => {
      const at = dayOf(n, 20);
      if (!model.isNow(at)) return false;
      model.bind({ partner: 'rival', at });
      return true;
    },
    tell: (setting, n) =>
      bindByHand(setting.db, contextOf(setting, dayOf(n, 20)), {
        programId: setting.shop.program.id,
        participantId: setting.rival.id,
        name: 'user',
        reason: 'asked',
      }),
  },
  unbind: {
    know: (model, n) => {
      const at = dayOf(n, 21);
      if (!model.isNow(at)) return false;
      model.unbind(at);
      return true;
    },
    tell: (setting, n) => {
      const command = { programId: setting.shop.program.id, name: 'user' };
      return unbindByHand(setting.db, contextOf(setting, dayOf(n, 21)), command);
    },
  },
} satisfies Record<string, Doing>;

export type Kind = keyof typeof steps;
export const kinds = Object.keys(steps) as Kind[];
/** What answers by what was told before it is told alone. */
const aloneKinds: readonly Kind[] = ['signUp', 'twinReject', 'rebind', 'unbind'];
export const factKinds = kinds.filter((kind) => !aloneKinds.includes(kind));

/** Adds steps that are told in one moment to the model; gives those that can happen. */
export function know(model: CustomerModel, together: readonly Step[]): Step[] {
  return together.filter(({ kind, n }) => {
    const { know: add }: Doing = steps[kind];
    return add(model, n, together.length > 1) !== false;
  });
}

/** A refusal is an answer; anything else is a fault. */
export async function tell(setting: Setting, { kind, n }: Step): Promise<void> {
  try {
    await steps[kind].tell(setting, n);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
