import { billerHttpFailure } from '../../../runtime/connections/biller-http';
import { isSignedByPolar } from '../../../runtime/crypto/biller-signatures';
import type { BillerReader, SignedDelivery } from '../reader';
import { assertPut } from '../secrets';
import { polarAccount, polarHttp } from './account';
import { lookUpAtPolar } from './look-up';

/** Polar, as all billers are read. */
export const polarReader: BillerReader = {
  isSigned: (delivery, by) => isSignedByPolar(delivery.body, headersOf(delivery), by),
  deliveryIdOf: (delivery) => headersOf(delivery).id,
  assertSecrets: assertPut,
  account: (config, key) => polarAccount(polarHttp(config, key)),
  failureOf: billerHttpFailure,
  listRead: 'orders, refunds and disputes',
  firstKeyReads: 'nothing',
  lookUp: (config, { account, pace }, request) =>
    lookUpAtPolar(polarHttp(config, account), pace, request),
  // Polar tells no disputes by events: only its list does.
  missingKinds: ({ restrictedKey }) => (restrictedKey === null ? ['disputes'] : []),
  problem: () => null,
};

function headersOf({ header }: SignedDelivery) {
  return {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
  };
}
