import type { Tx } from '../../entities/database/sql';
import type { CreditFact } from '../../entities/rules/attribution/conversion';
import type { StoredSale } from '../../entities/rules/payments/sale';
import type { Scope } from '../../entities/rules/values/mode';
import type { ConversionReport } from '../conversions/report';
import type { CommandContext } from '../journal/cause';

/** What the credit of payments asks of the processor that told them; its facts are in rows by then. */
export interface Biller {
  /** The buyer's address, for the fraud rules: null when nothing that is stored tells it. */
  prospectOf(tx: Tx, paymentId: string): Promise<ConversionReport['prospect']>;
  /** Reads and keeps what is stored of payments that an earlier release took in, which kept no sale. */
  tellSales(tx: Tx, scope: Scope, paymentIds: readonly string[]): Promise<Map<string, StoredSale>>;
  /** Another payment's report makes this one wait for its checkout. It is read again at the time by which the checkout is known. */
  lookLater(tx: Tx, context: CommandContext, waiting: WaitingPayment): Promise<void>;
  /** A payment is this conversion now: its ids lead there, its refunds, disputes and fee count. */
  settle(
    tx: Tx,
    context: CommandContext,
    joined: { paymentId: string; conversionId: string },
  ): Promise<void>;
}

export interface WaitingPayment {
  paymentId: string;
  /** The processor can be asked for the checkout. */
  canAsk: boolean;
}

/** Who asks and why, and the processor whose payments may be concerned. */
export interface CreditContext extends CommandContext {
  biller: Biller;
  fact: CreditFact;
}
