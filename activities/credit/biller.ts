import type { Tx } from '../../entities/database/sql';
import type { ConversionReport } from '../conversions/report';
import type { CommandContext } from '../journal/cause';

/** What the credit of payments asks of the processor that told them; its facts are in rows by then. */
export interface Biller {
  /** The buyer's address, for the fraud rules: null when nothing that is stored tells it. */
  prospectOf(tx: Tx, paymentId: string): Promise<ConversionReport['prospect']>;
  /** A payment is this conversion now: its ids lead there, its refunds, disputes and fee count. */
  settle(
    tx: Tx,
    context: CommandContext,
    joined: { paymentId: string; conversionId: string },
  ): Promise<void>;
}

/** Who asks, and the processor whose payments may be concerned. */
export interface CreditContext extends CommandContext {
  biller: Biller;
}
