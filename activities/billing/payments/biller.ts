import type { Tx } from '../../../entities/database/sql';
import type { ConversionReport } from '../../conversions/report';
import type { Biller } from '../../credit/biller';
import type { CommandContext } from '../../journal/cause';
import { askForFee } from '../events/progress';
import { enqueueWaiting } from './enqueue-follow-ups';
import { findPayment } from './payments';
import { storedProspect, type ProspectVault } from './prospect';
import { findConversionsOf, settlePayment } from './settle';
import { tellSales } from './trials';

/** The payment that an event has just told, with its buyer's address. */
interface ToldPayment {
  paymentId: string;
  prospect: ConversionReport['prospect'];
  /** True when no event brought it: the payment is read again. */
  isFollowUp: boolean;
}

/** The billers, with the payments that they have settled so far. */
export interface SettlingBiller extends Biller {
  settled: ReadonlySet<string>;
}

/** The billers, as who is credited asks them; without a vault nothing that is stored tells an address. */
export function billerOf(vault: ProspectVault | null, told: ToldPayment | null): SettlingBiller {
  const settled = new Set<string>();
  return {
    settled,
    prospectOf(tx, paymentId) {
      if (told?.paymentId === paymentId && told.prospect) return Promise.resolve(told.prospect);
      return vault ? storedProspect({ db: tx, vault }, paymentId) : Promise.resolve(null);
    },
    tellSales,
    async lookLater(tx, context, { paymentId, canAsk }) {
      // The payment that is being told: its event says so itself.
      if (told?.paymentId === paymentId) return;
      const payment = await findPayment(tx, context.scope, paymentId);
      if (payment) await enqueueWaiting(tx, context, { payment, isKeyed: canAsk });
    },
    async settle(tx, context, { paymentId }) {
      // Its event came when the payment seemed to be nothing of ours: nothing was asked of the biller.
      const isJustTold = told?.paymentId === paymentId && !told.isFollowUp;
      if (!isJustTold) await askForFee(tx, context, paymentId);
      await settleKnown(tx, context, paymentId);
      settled.add(paymentId);
    },
  };
}

/**
 * Joins a payment to the conversion that it is, if it is one: its ids lead there, and what became of its
 * money counts. Gives that conversion.
 */
export async function settleKnown(
  tx: Tx,
  context: CommandContext,
  paymentId: string,
): Promise<string | null> {
  const payment = await findPayment(tx, context.scope, paymentId);
  if (!payment) return null;
  const conversions = await findConversionsOf(tx, context.scope, payment);
  return settlePayment(tx, context, { payment, conversions });
}
