import { text } from '../text/en';
import { formatMoney, formatShare } from '../ui/format';
import { Facts } from '../ui/values';

const words = text.app.programme;

export interface OpenProgram {
  name: string;
  websiteUrl: string;
  description: string | null;
  currency: string;
  attributionWindowDays: number;
  holdDays: number;
  minPayoutCents?: number;
  commission: {
    type: 'percentage' | 'flat';
    rateBps: number | null;
    amountCents: number | null;
    basis: 'gross' | 'net';
    recurring: boolean;
    recurringMonths: number | null;
  };
}

export function ProgramTerms({ of }: { of: OpenProgram }) {
  const { commission, currency } = of;
  const earned =
    commission.type === 'percentage'
      ? words.percentOf(
          formatShare((commission.rateBps ?? 0) / 10_000),
          words.bases[commission.basis],
        )
      : formatMoney(commission.amountCents ?? 0, currency);
  const months = commission.recurringMonths;
  const renewals = months === null ? words.forEver : words.forMonths(months);
  return (
    <Facts
      of={[
        [text.name, of.name],
        [words.website, of.websiteUrl],
        [words.description, of.description],
        [words.commission, earned],
        [words.renewals, commission.recurring ? renewals : text.no],
        [words.window, words.days(of.attributionWindowDays)],
        [words.hold, words.days(of.holdDays)],
        ...(of.minPayoutCents === undefined
          ? []
          : [[words.minPayout, formatMoney(of.minPayoutCents, currency)] as [string, string]]),
      ]}
    />
  );
}
