/** What bound a customer to the partner who brought them. */
export const bindingSources = ['signup', 'conversion', 'stripe', 'import', 'manual'] as const;
export type BindingSource = (typeof bindingSources)[number];

export const maxCustomerIdLength = 255;
export const maxCustomerAliases = 5;

export interface Binding {
  source: BindingSource;
  boundAt: Date;
}

/**
 * Whether the binding speaks for a sale of that moment. One that a person or an import made knows
 * more than its own time: it speaks for earlier sales that are reported from then on, too.
 */
export function isBoundAt({ source, boundAt }: Binding, occurred: { until: Date }): boolean {
  return isByHand(source) || boundAt <= occurred.until;
}

/** Whether somebody said whose the customer is, whatever their payments said before. */
export function isByHand(source: BindingSource): boolean {
  return source === 'manual' || source === 'import';
}
