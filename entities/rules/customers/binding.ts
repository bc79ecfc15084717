/** What bound a customer to the partner who brought them. */
export const bindingSources = ['signup', 'conversion', 'stripe', 'import', 'manual'] as const;
export type BindingSource = (typeof bindingSources)[number];

export const maxCustomerIdLength = 255;
export const maxCustomerAliases = 5;

export interface Binding {
  source: BindingSource;
  boundAt: Date;
}
