import { AppError, validationError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import { mustBeHttps, parseWebhookUrl } from '../../entities/rules/webhooks/url';
import { BlockedAddressError } from '../../runtime/outbound/address-guard';
import type { OutboundHttp } from '../../runtime/outbound/http';

/**
 * Form, HTTPS and address of a receiver's URL, in this order. Asks the name servers, so it must not
 * run inside a transaction. VALIDATION_ERROR on `url`, WEBHOOK_URL_NOT_HTTPS,
 * WEBHOOK_URL_PRIVATE_IP, WEBHOOK_URL_UNRESOLVABLE.
 */
export async function checkReceiverUrl(
  http: Pick<OutboundHttp, 'checkHost'>,
  { mode, url: text }: { mode: Mode; url: string },
): Promise<void> {
  const parsed = parseWebhookUrl(text);
  if (!parsed.ok) throw validationError('url', parsed.message);
  if (mustBeHttps(mode, parsed.url)) throw new AppError('WEBHOOK_URL_NOT_HTTPS');

  try {
    await http.checkHost(parsed.url.hostname);
  } catch (error) {
    const isBlocked = error instanceof BlockedAddressError;
    throw new AppError(isBlocked ? 'WEBHOOK_URL_PRIVATE_IP' : 'WEBHOOK_URL_UNRESOLVABLE');
  }
}
