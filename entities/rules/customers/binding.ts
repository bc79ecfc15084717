/** What bound a customer to the partner who brought them. */
export const bindingSources = [
  'signup',
  'conversion',
  'stripe',
  'paddle',
  'polar',
  'import',
  'manual',
] as const;
export type BindingSource = (typeof bindingSources)[number];

export const maxCustomerIdLength = 255;
export const maxCustomerAliases = 5;

export interface Binding {
  source: BindingSource;
  boundAt: Date;
}

/** Sources that are billers: a payment that one of them told of binds its customer. */
export const billerSources = ['stripe', 'paddle', 'polar'] as const satisfies BindingSource[];
export type BillerSource = (typeof billerSources)[number];

export function isOfBiller(source: string): source is BillerSource {
  return billerSources.some((one) => one === source);
}
