import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../entities/rules/billing/json';

/** Two shapes of Stripe's API: invoices name their charge before 2025-03-31, and not since. */
export const stripeVersions = ['2023-10-16', '2025-08-27.basil'] as const;
export type StripeVersion = (typeof stripeVersions)[number];
export const [oldShape, newShape] = stripeVersions;

export interface StripeTestEvent extends Json {
  id: string;
  type: string;
  created: number;
  livemode: boolean;
  data: { object: Json; previous_attributes?: Json };
}

/** A stored event, with fields of the event and of its object replaced. */
export function stripeFixture(
  version: StripeVersion,
  name: string,
  object: Json = {},
  event: Json = {},
): StripeTestEvent {
  const path = join(__dirname, '../..', 'fixtures', 'stripe', version, `${name}.json`);
  const read = JSON.parse(readFileSync(path, 'utf8')) as StripeTestEvent;
  return {
    ...read,
    ...event,
    data: { ...read.data, object: { ...read.data.object, ...object } },
  };
}
