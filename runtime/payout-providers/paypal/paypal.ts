import type { PayoutProvider } from '../provider';
import { ask } from './ask';
import { cancel } from './cancel';
import { longestAddress, requestOf } from './request';
import { send } from './send';
import { connect } from './token';
import { meaningOf } from './words';

/** PayPal's Payouts API, v1. */
export const paypal: PayoutProvider = {
  name: 'paypal',
  method: 'paypal',
  maxItems: 5_000,
  claimDays: 30,
  connect,
  takesAddress: (address) => Buffer.byteLength(address) <= longestAddress,
  requestOf,
  send,
  ask,
  cancel,
  meaningOf,
};
