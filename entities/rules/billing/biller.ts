/** Who takes a shop's money and tells of its payments. */
export const billers = ['stripe', 'paddle', 'polar'] as const;
export type Biller = (typeof billers)[number];

/** The billers whose connections stand under one route; Stripe has one of its own. */
export const furtherBillers = ['paddle', 'polar'] as const satisfies Biller[];
export type FurtherBiller = (typeof furtherBillers)[number];

/** The billers' names for people. */
export const billerNames: Readonly<Record<Biller, string>> = {
  stripe: 'Stripe',
  paddle: 'Paddle',
  polar: 'Polar',
};
