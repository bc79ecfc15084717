import { cut } from '../../entities/rules/values/cut';
import type { KeptAnswer } from '../../runtime/payout-providers/provider';

/** The reason, in the provider's words. */
export function reasonOf({ name, message }: Pick<KeptAnswer, 'name' | 'message'>): string | null {
  const words = [name, message].filter((part) => part !== null);
  return words.length === 0 ? null : cut(words.join(': '), 500);
}
