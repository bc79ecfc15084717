import { validationError } from '../../../entities/errors';
import type { Mode } from '../../../entities/rules/values/mode';
import { billerHttpFailure } from '../../../runtime/connections/biller-http';
import { isSignedByPaddle } from '../../../runtime/crypto/biller-signatures';
import type { BillerReader, Secrets } from '../reader';
import { assertPut } from '../secrets';
import { paddleAccount, paddleHttp } from './account';
import { lookUpAtPaddle } from './look-up';

const withoutCodes =
  'Sales by promo codes of partners cannot be told, for Paddle names a discount by its id: put an API key, or have Paddle send discount.created and discount.updated to this endpoint.';

/** Paddle, as all billers are read. */
export const paddleReader: BillerReader = {
  isSigned: ({ body, header }, by) => isSignedByPaddle(body, header('paddle-signature'), by),
  deliveryIdOf: () => null,
  assertSecrets,
  account: (config, key) => paddleAccount(paddleHttp(config, key)),
  failureOf: billerHttpFailure,
  listRead: 'events (notification.read)',
  firstKeyReads: 'nothing',
  lookUp: (config, { account, pace }, request) =>
    lookUpAtPaddle(paddleHttp(config, account), pace, request),
  missingKinds: ({ restrictedKey }, { hasCodes }) =>
    restrictedKey === null && hasCodes ? ['discount.created', 'discount.updated'] : [],
  problem: ({ restrictedKey }, { hasCodes }) =>
    restrictedKey === null && hasCodes ? withoutCodes : null,
};

/** Older keys say nothing of their mode. */
function assertSecrets(secrets: Secrets, mode: Mode): void {
  assertPut(secrets);
  const foreign = mode === 'live' ? 'pdl_sdbx_' : 'pdl_live_';
  if (secrets.key?.startsWith(foreign)) {
    throw validationError('apiKey', `is a key of Paddle's other environment (${foreign})`);
  }
}
