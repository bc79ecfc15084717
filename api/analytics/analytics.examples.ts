import { presentFraudSummary } from './presenters';
import { exampleOf } from '../http/contract/example';
import { MetricsDto, PeriodFiguresDto } from './analytics.dto';

export const metricsExample = exampleOf(MetricsDto, {
  previous: exampleOf(PeriodFiguresDto, {
    revenue: [{ currency: 'usd', amountCents: 245_000 }],
    clicks: 1_000,
    conversions: 50,
    newCustomers: 40,
    renewals: 10,
    leads: 0,
  }),
});

export const partnersCsvExample = `participantId,partnerName,attributedRevenueCents,conversions,clicks,conversionRate,fraudFlagCount,currency\r
01890a5d-ac96-774b-bcce-b302099a8057,Anna Partner,303800,62,1240,0.04,2,usd\r
`;

export const fraudSummaryExample = presentFraudSummary(
  new Map([
    ['duplicate_customer', 3],
    ['self_referral_email', 1],
  ]),
);
