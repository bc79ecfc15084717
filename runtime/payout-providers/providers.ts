import type { PayoutProviderName } from '../../entities/rules/payouts/providers';
import { paypal } from './paypal/paypal';
import type { PayoutProvider } from './provider';

const providers: Readonly<Record<PayoutProviderName, PayoutProvider>> = { paypal };

export function providerNamed(name: PayoutProviderName): PayoutProvider {
  return providers[name];
}
