import type { PayoutDto } from '../../packages/client/src';
import { codeOf, type Connection } from './client';

type Currency = 'usd' | 'eur' | 'gbp';
type Status = 'paid' | 'failed' | 'returned';

interface DemoPayout {
  reference: string;
  /** Bonuses of the month, in minor units. */
  bonuses: Partial<Record<Currency, number>>;
  /** What became of each item, one report after the other; `cancelled`: of the whole. */
  became: Partial<Record<Currency, readonly Status[]>> | 'cancelled';
}

/** A payout in each state. What came back, failed or was cancelled is in the next one. */
const demoPayouts: readonly DemoPayout[] = [
  { reference: 'Bonuses, first', bonuses: { usd: 12_400 }, became: { usd: ['paid'] } },
  {
    reference: 'Bonuses, second',
    bonuses: { usd: 8_950, eur: 4_200, gbp: 3_300 },
    became: { usd: ['paid'], eur: ['paid', 'returned'], gbp: ['failed'] },
  },
  { reference: 'Bonuses, third', bonuses: { usd: 6_000 }, became: 'cancelled' },
  { reference: 'Bonuses, fourth', bonuses: {}, became: {} },
];

const reasons = { paid: null, failed: 'No such account', returned: 'Not claimed within 30 days' };

export interface PayoutsOptions {
  merchant: Connection;
  partner: Connection;
  partnerLogin: { email: string; password: string };
  programId: string;
  participantId: string;
}

/** Payouts to the partner, in each state that there is. What is there already stays as it is. */
export async function ensurePayouts(options: PayoutsOptions): Promise<void> {
  const { merchant, programId } = options;
  await ensureMethod(options);
  const { data } = await merchant.client.payouts.list({ programId, limit: 100 }, merchant.options);
  for (const wanted of demoPayouts) {
    const known = data.find(({ reference }) => reference === wanted.reference);
    const payout = known ?? (await make(wanted, options));
    if (payout) await report(payout, wanted, merchant);
  }
}

async function ensureMethod({ partner, partnerLogin }: PayoutsOptions): Promise<void> {
  const { client, options } = partner;
  const { method } = await client.partnerAccount.getPayoutMethod(options);
  if (method) return;
  const { email, password } = partnerLogin;
  const paypal = { type: 'paypal' as const, email };
  await client.partnerAccount.putPayoutMethod({ method: paypal, password }, options);
}

/** Undefined when somebody has paid the bonuses otherwise. */
async function make(
  { reference, bonuses }: DemoPayout,
  { merchant: { client, options }, programId, participantId }: PayoutsOptions,
): Promise<PayoutDto | undefined> {
  for (const [currency, amountCents] of Object.entries(bonuses)) {
    const externalId = `${reference}, ${currency}`;
    const bonus = { amountCents, currency, externalId, reason: 'Bonus for a good month' };
    await client.commissions.adjustBalance({ programId, participantId, ...bonus }, options);
  }
  try {
    return await client.payouts.create({ programId, reference }, options);
  } catch (error) {
    if (codeOf(error) !== 'PAYOUT_EMPTY') throw error;
    return undefined;
  }
}

async function report(
  { id, status, items }: PayoutDto,
  { became }: DemoPayout,
  { client, options }: Connection,
): Promise<void> {
  if (status !== 'processing') return;
  if (became === 'cancelled') {
    await client.payouts.cancel({ id }, options);
    return;
  }
  for (const item of items) {
    const steps = became[item.currency as Currency] ?? [];
    // The steps after the last one that was reported, should a seeding have been killed between two.
    for (const next of steps.slice(steps.indexOf(item.status as Status) + 1)) {
      const told = { status: next, reason: reasons[next] };
      await client.payouts.markItem({ id, itemId: item.id, ...told }, options);
    }
  }
}
