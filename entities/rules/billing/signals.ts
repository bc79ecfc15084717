import { cut } from '../values/cut';
import { customerIdOf, withoutUnseenEnds } from '../values/identifier';
import { longestId, textAt, valueAt } from './json';

/** The key of a payment's own data that carries the click. */
export const clickKey = 'aff_click_id';
const customerKey = 'customer_id';

/** A signal is kept as it was meant, and cut: a garbled value is no reason to lose the sale. */
export function signalIn(value: unknown, ...path: string[]): string[] {
  const signal = withoutUnseenEnds(textAt(value, ...path) ?? '');
  return signal === '' ? [] : [cut(signal, longestId)];
}

/** The click that a payment's own data names; empty for none. */
export function clickIn(payment: unknown, field: string): string[] {
  return signalIn(payment, field, clickKey);
}

/** The merchant's own id of the customer in that data; empty for none, and for texts that stand for none. */
export function customerIn(payment: unknown, field: string): string[] {
  // Paddle's and Polar's data hold numbers too, and a shop may count its customers.
  const told = valueAt(payment, field, customerKey);
  const named = Number.isSafeInteger(told) ? [String(told)] : signalIn(payment, field, customerKey);
  return named.flatMap((id) => customerIdOf(id) ?? []);
}
