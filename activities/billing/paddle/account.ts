import {
  listAt,
  objectAt,
  textAt,
  timeAt,
  valueAt,
  type Json,
} from '../../../entities/rules/billing/json';
import { paddleEventTypes } from '../../../entities/rules/paddle/rules';
import {
  billerHttpFailure,
  createBillerHttp,
  type BillerHttp,
} from '../../../runtime/connections/biller-http';
import type { Config } from '../../../runtime/process/config';
import { checkReads, registrationFailure } from '../check-reads';
import { paddleCodes } from './codes';
import type { AccountKey, BillerAccount, EndpointState, ListPage } from '../reader';

const hosts = { live: 'https://api.paddle.com', test: 'https://sandbox-api.paddle.com' };

/** Paddle's API, at the host of the key's mode unless PADDLE_API_BASE names another. */
export function paddleHttp(
  { paddleApiBase }: Pick<Config, 'paddleApiBase'>,
  { mode, key }: AccountKey,
): BillerHttp {
  return createBillerHttp({
    base: paddleApiBase ?? hosts[mode],
    key,
    headers: { 'Paddle-Version': '1' },
    isOperators: paddleApiBase !== undefined,
  });
}

/** An account at Paddle. */
export function paddleAccount(http: BillerHttp): BillerAccount {
  const readOne = (list: string) => () => http.call('GET', `/${list}`, { query: { per_page: 1 } });
  return {
    check: () =>
      checkReads('paddle', [
        { permission: 'transaction.read', call: readOne('transactions') },
        { permission: 'adjustment.read', call: readOne('adjustments') },
        { permission: 'discount.read', call: readOne('discounts') },
        { permission: 'customer.read', call: readOne('customers') },
      ]),
    register: ({ url }) => register(http, url),
    keep: (endpoint) => keep(http, endpoint),
    async remove(id) {
      try {
        await http.call('DELETE', `/notification-settings/${id}`);
      } catch (error) {
        if (billerHttpFailure(error) === 'away') throw registrationFailure('paddle', error, '');
      }
    },
    codes: paddleCodes(http),
    list: (asked) => listEvents(http, asked),
  };
}

/** An answer that got lost left an endpoint behind: it is found by its address before another is made. */
async function register(http: BillerHttp, url: string) {
  try {
    const made = (await findSetting(http, url)) ?? (await createSetting(http, url));
    const [id, secret] = [textAt(made, 'id'), textAt(made, 'endpoint_secret_key')];
    if (id === null || secret === null) throw new Error('an endpoint without its secret');
    return { id, secret, replaces: null };
  } catch (error) {
    throw registrationFailure('paddle', error, 'notification_setting.write');
  }
}

async function findSetting(http: BillerHttp, url: string): Promise<Json | undefined> {
  try {
    const found = listAt(await http.call('GET', '/notification-settings'), 'data');
    const ours = found.find((one) => textAt(one, 'destination') === url);
    return ours === undefined ? undefined : objectAt(ours);
  } catch (error) {
    if (billerHttpFailure(error) === 'away') throw error;
    return undefined;
  }
}

async function createSetting(http: BillerHttp, url: string): Promise<Json> {
  const body = {
    description: 'Affiliate programme',
    destination: url,
    type: 'url',
    api_version: 1,
    include_sensitive_fields: false,
    subscribed_events: [...paddleEventTypes],
  };
  return objectAt(await http.call('POST', '/notification-settings', { body }), 'data');
}

async function keep(
  http: BillerHttp,
  { id, url }: { id: string; url: string },
): Promise<EndpointState> {
  const path = `/notification-settings/${id}`;
  try {
    const setting = objectAt(await http.call('GET', path), 'data');
    const kinds = listAt(setting, 'subscribed_events').map((one) => textAt(one, 'name'));
    const lacks = paddleEventTypes.some((type) => !kinds.includes(type));
    const isAsWanted =
      !lacks && valueAt(setting, 'active') === true && textAt(setting, 'destination') === url;
    if (!isAsWanted) {
      const body = { destination: url, active: true, subscribed_events: [...paddleEventTypes] };
      await http.call('PATCH', path, { body });
    }
    return 'kept';
  } catch (error) {
    return billerHttpFailure(error) === 'missing' ? 'gone' : 'kept';
  }
}

const kinds = new Set<string>(paddleEventTypes);

/**
 * A page of Paddle's list of events, the newest first: it is read back to the time that is asked for. Discounts
 * are read by key.
 */
async function listEvents(
  http: BillerHttp,
  { since, place }: { since: Date; place: string | null },
): Promise<ListPage> {
  const query = { per_page: 200, order_by: 'id[DESC]', after: place ?? undefined };
  const page = await http.call('GET', '/events', { query });
  const all = Array.isArray(page['data']) ? (page['data'] as unknown[]) : [];
  const isNew = (event: unknown): boolean =>
    (timeAt(event, 'occurred_at') ?? '') >= since.toISOString();
  const events = all
    .filter((event) => isNew(event) && kinds.has(textAt(event, 'event_type') ?? ''))
    .map((event) => ({ text: JSON.stringify(event), deliveryId: null, isRead: false }));
  const last = all.at(-1);
  const isMore = valueAt(page, 'meta', 'pagination', 'has_more') === true;
  const next = isMore && last !== undefined && isNew(last) ? textAt(last, 'event_id') : null;
  return { events: events.toReversed(), next };
}
