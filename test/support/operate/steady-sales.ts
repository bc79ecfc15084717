import type { Balancer } from './balancer';

/** A machine that others use as well may be spared. */
const perSecond = Number(process.env['UPGRADE_SALES_PER_SECOND'] ?? 20);

/** What the report of a sale came to: a status, or nothing. */
export type Outcome = number | 'broken';

export interface SteadySales {
  /** Sales so far that were answered, by their transactions. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Ends them, once the last one is answered. */
  stop(): Promise<void>;
}

/** Twenty sales a second unless told, each reported once and never repeated, until they are ended. */
export function startSteadySales(
  balancer: Balancer,
  { key, promoCode }: { key: string; promoCode: string },
): SteadySales {
  const outcomes = new Map<string, Outcome>();
  const underWay = new Set<Promise<void>>();
  let count = 0;

  async function report(transaction: string): Promise<void> {
    const answer = await balancer.send('/api/v1/conversions', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        external_transaction_id: transaction,
        event_type: 'purchase',
        amount_cents: 5_000,
        currency: 'usd',
        promo_code: promoCode,
      }),
    });
    await answer?.arrayBuffer().catch(() => undefined);
    outcomes.set(transaction, answer?.status ?? 'broken');
  }

  const timer = setInterval(() => {
    const reporting = report(`sale-${count++}`).finally(() => underWay.delete(reporting));
    underWay.add(reporting);
  }, 1_000 / perSecond);
  return {
    outcomes,
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
