import { validationError } from '../../entities/errors';
import type { Secrets } from './reader';

/** What the routes of billers beside Stripe take: VALIDATION_ERROR names the field. */
export function assertPut({ key, webhookSecret }: Secrets): void {
  if (key === undefined && webhookSecret === undefined) {
    throw validationError('body', 'give apiKey, webhookSecret or both');
  }
  if (key !== undefined && !/^[\x21-\x7e]{8,500}$/.test(key)) {
    throw validationError('apiKey', 'must be 8 to 500 visible characters');
  }
  if (webhookSecret !== undefined && !/^[\x21-\x7e]{16,255}$/.test(webhookSecret)) {
    throw validationError('webhookSecret', 'must be 16 to 255 visible characters');
  }
}
