import type { ItemAnswer, ProviderAccess } from '../provider';
import { askItem } from './ask';
import { call } from './call';

/**
 * Asks PayPal to take back what nobody has fetched, then what became of it: whatever the first answer was, the
 * item's own word decides.
 */
export async function cancel(access: ProviderAccess, providerItemId: string): Promise<ItemAnswer> {
  await call(access, {
    method: 'POST',
    path: `/v1/payments/payouts-item/${providerItemId}/cancel`,
  });
  return askItem(access, providerItemId);
}
