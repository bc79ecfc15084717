import type { PayoutMethodType } from './method';

/** Why a ready item is not sent, in the order in which it is looked at. */
export const leftOutReasons = [
  'no_method',
  'other_method',
  'unconfirmed_method',
  'exported',
  'suspended',
  'method_refused',
  'attention',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export interface SendableItem {
  methodType: string | null;
  isConfirmed: boolean;
  isExported: boolean;
  /** True when the partner was suspended since the payout was made. */
  isSuspended: boolean;
  /** The provider takes no such address, or the last two items that it was to pay failed. */
  isRefused: boolean;
  hasAttention: boolean;
}

export interface SendOptions {
  method: PayoutMethodType;
  requireConfirmed: boolean;
  confirmExported: boolean;
}

/** Why an item is left out; undefined for one that is sent. */
export function whyLeftOut(item: SendableItem, options: SendOptions): LeftOutReason | undefined {
  const reasons: Record<LeftOutReason, boolean> = {
    no_method: item.methodType === null,
    other_method: item.methodType !== options.method,
    unconfirmed_method: options.requireConfirmed && !item.isConfirmed,
    exported: item.isExported && !options.confirmExported,
    suspended: item.isSuspended,
    method_refused: item.isRefused,
    attention: item.hasAttention,
  };
  return leftOutReasons.find((reason) => reasons[reason]);
}
