import { updateProgram } from '../../../activities/programs/programs';
import { dryRunConversion } from '../../../activities/purchases/report-purchase';
import { newId } from '../../../entities/ids';
import type { Biller } from '../../../entities/rules/billing/biller';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { paddleAdjustment, paddleId, paddleTransaction } from '../../support/billers/paddle';
import { polarOrderEvent } from '../../support/billers/polar';
import { buildBillerShop } from '../../support/billers/shop';
import { useDeps } from '../../support/app';
import { buildReport, recordConversion } from '../../support/build/conversions';
import { buildPromoCode, type BuiltParticipant } from '../../support/build/programs';
import { chargeRefunded, checkoutCompleted, stripeId } from '../../support/stripe/events';
import { buildStripeShop, conversionsOf } from '../../support/stripe/shop';

/** A payment that a biller tells without any signal, half of it returned, and that the merchant reports under the same id. */
const deps = useDeps();
const db = () => deps.db.manager;

interface Told {
  scope: Scope;
  programId: string;
  participant: BuiltParticipant;
  /** What the report names. */
  id: string;
  currency: string;
  tell(): Promise<unknown>;
}

const shops: Record<Biller, () => Promise<Told>> = {
  async stripe() {
    const shop = await buildStripeShop(deps);
    const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
    const tell = async () => {
      await shop.send(checkoutCompleted({ paymentIntent, amount: 10_000 }));
      await shop.send(chargeRefunded({ charge, paymentIntent, amount: 10_000, refunded: 5_000 }));
    };
    return { ...shop, programId: shop.program.id, id: paymentIntent, currency: 'usd', tell };
  },
  async paddle() {
    const shop = await buildBillerShop(deps, 'paddle');
    const id = paddleId('txn');
    const tell = () =>
      shop.send(
        paddleTransaction({ id, total: 10_000, tax: 0, grandTotal: 10_000 }),
        paddleAdjustment({ transaction: id, subtotal: 5_000 }),
      );
    return { ...shop, programId: shop.program.id, id, currency: 'eur', tell };
  },
  async polar() {
    const shop = await buildBillerShop(deps, 'polar');
    const id = newId();
    const tell = () =>
      shop.send(polarOrderEvent({ id, net: 10_000, tax: 0, refunded: 5_000, currency: 'eur' }));
    return { ...shop, programId: shop.program.id, id, currency: 'eur', tell };
  },
};

describe.each(Object.keys(shops) as Biller[])(
  'a payment at %s that is reported by its id',
  (biller) => {
    const orders = [
      ['tell', 'edit', 'report'],
      ['report', 'edit', 'tell'],
    ] as const;

    it.each(orders)('is judged by the terms of its first telling: %s, %s, %s', async (...order) => {
      const told = await shops[biller]();
      const { scope, programId, id, currency } = told;
      const { code } = await buildPromoCode(db(), told.participant);
      const report = {
        ...buildReport({ amountCents: 10_000, currency, promoCode: code }),
        externalTransactionId: id,
      };
      const context = () => ({ scope, now: new Date(), requestId: undefined, actor: systemActor });
      const tried: unknown[] = [];
      const steps = {
        tell: told.tell,
        edit: () =>
          updateProgram(db(), context(), { programId, patch: { commission: half, holdDays: 1 } }),
        report: async () => {
          const { record } = await dryRunConversion(db(), context(), report);
          tried.push(record.commission?.amountCents);
          await recordConversion(db(), context(), report);
        },
      };
      for (const step of order) await steps[step]();
      expect(await conversionsOf(db(), scope)).toMatchObject([
        { externalTransactionId: id, attributed: true, commission: { amountCents: 1_000 } },
      ]);
      expect(tried).toEqual([2_000]);
    });
  },
);

const half = {
  type: 'percentage',
  rateBps: 5_000,
  amountCents: null,
  basis: 'gross',
  recurring: false,
  recurringMonths: null,
} as const;
