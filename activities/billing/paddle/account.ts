import { listAt, objectAt, textAt, timeAt, valueAt } from '../../../entities/rules/billing/json';
import { paddleEventTypes } from '../../../entities/rules/paddle/rules';
import { createBillerHttp, type BillerHttp } from '../../../runtime/connections/biller-http';
import type { Config } from '../../../runtime/config/config';
import { checkReads } from '../check-reads';
import { endpointsBy, type EndpointCalls } from '../endpoints';
import { paddleCodes } from './codes';
import { oldestFirst, type PageAsked, type PageRead } from '../oldest-first';
import type { AccountKey, BillerAccount } from '../reader';

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
    ...endpointsBy(settingsOf(http)),
    codes: paddleCodes(http),
    list: ({ since, place }) => oldestFirst(place, (asked) => readEvents(http, since, asked)),
  };
}

function settingsOf(http: BillerHttp): EndpointCalls {
  const list = '/notification-settings';
  const events = [...paddleEventTypes];
  return {
    ...{ biller: 'paddle', permission: 'notification_setting.write' },
    secretField: 'endpoint_secret_key',
    async find(url) {
      const found = listAt(await http.call('GET', list), 'data');
      const ours = found.find((one) => textAt(one, 'destination') === url);
      return ours === undefined ? undefined : objectAt(ours);
    },
    async make(url) {
      const body = {
        ...{ description: 'Affiliate programme', destination: url, type: 'url', api_version: 1 },
        ...{ include_sensitive_fields: false, subscribed_events: events },
      };
      return objectAt(await http.call('POST', list, { body }), 'data');
    },
    async keep({ id, url }) {
      const setting = objectAt(await http.call('GET', `${list}/${id}`), 'data');
      const told = listAt(setting, 'subscribed_events').map((one) => textAt(one, 'name'));
      const isAsWanted =
        events.every((type) => told.includes(type)) &&
        valueAt(setting, 'active') === true &&
        textAt(setting, 'destination') === url;
      if (isAsWanted) return;
      const body = { destination: url, active: true, subscribed_events: events };
      await http.call('PATCH', `${list}/${id}`, { body });
    },
    async remove(id) {
      await http.call('DELETE', `${list}/${id}`);
    },
  };
}

const kinds = new Set<string>(paddleEventTypes);

/** A page of Paddle's list of events, which goes back to the time that is asked for. Discounts are read by key. */
async function readEvents(http: BillerHttp, since: Date, asked: PageAsked): Promise<PageRead> {
  const isForth = 'newerThan' in asked;
  const query = isForth
    ? { per_page: 200, order_by: 'id[ASC]', after: asked.newerThan }
    : { per_page: 200, order_by: 'id[DESC]', after: asked.olderThan ?? undefined };
  const page = await http.call('GET', '/events', { query });
  const told = Array.isArray(page['data']) ? (page['data'] as unknown[]) : [];
  const all = isForth ? told : told.toReversed();
  const isNew = (event: unknown): boolean =>
    (timeAt(event, 'occurred_at') ?? '') >= since.toISOString();
  const events = all
    .filter((event) => isNew(event) && kinds.has(textAt(event, 'event_type') ?? ''))
    .map((event) => ({ text: JSON.stringify(event), deliveryId: null, isRead: false }));
  return {
    events,
    oldest: textAt(all[0], 'event_id'),
    newest: textAt(all.at(-1), 'event_id'),
    isMore: valueAt(page, 'meta', 'pagination', 'has_more') === true && (isForth || isNew(all[0])),
  };
}
