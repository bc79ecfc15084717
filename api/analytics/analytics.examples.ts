import { presentFraudSummary } from './presenters';

const figures = { clicks: 1_240, conversions: 62, conversionRate: 0.04 };
const kinds = { newCustomers: 49, renewals: 12, leads: 1 };

export const metricsExample = {
  currency: 'usd',
  current: { revenue: [{ currency: 'usd', amountCents: 303_800 }], ...figures, ...kinds },
  previous: {
    revenue: [{ currency: 'usd', amountCents: 245_000 }],
    clicks: 1_000,
    conversions: 50,
    newCustomers: 40,
    renewals: 10,
    leads: 0,
    conversionRate: 0.04,
  },
  change: { revenue: 0.24, clicks: 0.24, conversions: 0.24, conversionRate: 0 },
};

export const trendExample = {
  currency: 'usd',
  buckets: [
    { start: '2026-01-05', value: 42 },
    { start: '2026-01-06', value: 0 },
  ],
};

const partnerExample = {
  participantId: '01890a5d-ac96-774b-bcce-b302099a8057',
  partnerName: 'Ava Reed',
  attributedRevenueCents: 303_800,
  ...figures,
  fraudFlagCount: 2,
};

export const topPartnersExample = {
  currency: 'usd',
  data: [partnerExample],
  total: 1,
  page: 1,
  limit: 10,
  nextCursor: null,
};
export const partnersExample = { ...topPartnersExample, limit: 20 };

export const partnersCsvExample = `participantId,partnerName,attributedRevenueCents,conversions,clicks,conversionRate,fraudFlagCount,currency\r
01890a5d-ac96-774b-bcce-b302099a8057,Ava Reed,303800,62,1240,0.04,2,usd\r
`;

export const fraudSummaryExample = presentFraudSummary(
  new Map([
    ['duplicate_customer', 3],
    ['self_referral_email', 1],
  ]),
);
