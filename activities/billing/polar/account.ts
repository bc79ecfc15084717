import { createHash } from 'node:crypto';
import {
  listAt,
  objectAt,
  textAt,
  timeAt,
  valueAt,
  type Json,
} from '../../../entities/rules/billing/json';
import { disputeRead, polarEventTypes } from '../../../entities/rules/polar/rules';
import {
  billerHttpFailure,
  createBillerHttp,
  type BillerHttp,
} from '../../../runtime/connections/biller-http';
import type { Config } from '../../../runtime/config/config';
import { polarCodes } from './codes';
import { callList } from './lists';
import { checkReads } from '../check-reads';
import { endpointsBy, type EndpointCalls } from '../endpoints';
import {
  readName,
  type AccountKey,
  type BillerAccount,
  type ListAsked,
  type ListedEvent,
  type ListPage,
} from '../reader';
import { dayMs } from '../../../entities/rules/values/duration';

const hosts = { live: 'https://api.polar.sh', test: 'https://sandbox-api.polar.sh' };

/** Polar's API in the version whose shapes are read, at the host of the key's mode unless POLAR_API_BASE names another. */
export function polarHttp(
  { polarApiBase }: Pick<Config, 'polarApiBase'>,
  { mode, key }: AccountKey,
): BillerHttp {
  const isOperators = polarApiBase !== undefined;
  const headers = { 'Polar-Version': '2026-04' };
  return createBillerHttp({ base: polarApiBase ?? hosts[mode], key, headers, isOperators });
}

/** An account at Polar. */
export function polarAccount(http: BillerHttp): BillerAccount {
  const readOne = (list: string) => () => callList(http, list, { limit: 1 });
  return {
    check: () =>
      checkReads('polar', [
        { permission: 'orders:read', call: readOne('orders') },
        { permission: 'refunds:read', call: readOne('refunds') },
        { permission: 'disputes:read', call: readOne('disputes') },
        { permission: 'discounts:read', call: readOne('discounts') },
      ]),
    ...endpointsBy(endpointsOf(http)),
    codes: polarCodes(http),
    list: (asked) => listAll(http, asked),
    listDisputes: ({ place, now }) => listOf(http, disputes, { place: placeOf(place), now }),
  };
}

function endpointsOf(http: BillerHttp): EndpointCalls {
  const list = '/v1/webhooks/endpoints';
  const events = [...polarEventTypes];
  return {
    ...{ biller: 'polar', permission: 'webhooks:write', secretField: 'secret' },
    async find(url) {
      const found = listAt(await http.call('GET', list, { query: { limit: 100 } }), 'items');
      const isOurs = (one: unknown): boolean =>
        textAt(one, 'url') === url && textAt(one, 'secret') !== null;
      const ours = found.find(isOurs);
      return ours === undefined ? undefined : objectAt(ours);
    },
    make: (url) => http.call('POST', list, { body: { url, format: 'raw', events } }),
    async keep({ id, url }) {
      const endpoint = await http.call('GET', `${list}/${id}`);
      const told = listAt(endpoint, 'events');
      const isAsWanted =
        events.every((type) => told.includes(type)) &&
        valueAt(endpoint, 'enabled') !== false &&
        textAt(endpoint, 'url') === url;
      if (isAsWanted) return;
      await http.call('PATCH', `${list}/${id}`, { body: { url, enabled: true, events } });
    },
    async remove(id) {
      await http.call('DELETE', `${list}/${id}`);
    },
  };
}

/** A list of Polar's, and what an event of ours about one of its objects is called. */
interface PolarList {
  path: 'orders' | 'refunds' | 'disputes';
  type: string;
}

const disputes: PolarList = { path: 'disputes', type: disputeRead };
const lists: readonly PolarList[] = [
  { path: 'orders', type: 'order.updated' },
  // The order says what came back.
  { path: 'refunds', type: 'order.updated' },
  disputes,
];

/** Polar tries a card again for three weeks, and a bank may take as long for a refund. */
const settledLateMs = 30 * dayMs;
/** A change that we read too early to see. */
const seenLateMs = 2 * dayMs;

/**
 * The times from which on objects are read that were made, and that were changed, to hold what became of them since
 * another: of none from before there was a connection, since what was sold then is not ours to credit.
 */
function readFrom({ path }: PolarList, { since, connectedAt, pace }: ListAsked): ReadFrom {
  const first = Math.min(since.getTime(), connectedAt.getTime());
  const before = (ms: number): Date => new Date(Math.max(since.getTime() - ms, first));
  const made = before(path === 'disputes' ? seenLateMs : settledLateMs);
  return { made, changed: before(seenLateMs), pace };
}

interface ReadFrom extends Pick<ListAsked, 'pace'> {
  made: Date;
  changed: Date;
}

/** One list after another, each to its end. */
async function listAll(http: BillerHttp, asked: ListAsked): Promise<ListPage> {
  const { place, now } = asked;
  const at = placeOf(place);
  const list = lists[at.list];
  if (!list) return { events: [], next: null };
  const page = await listOf(http, list, { place: at, now, from: readFrom(list, asked) });
  const isLast = at.list === lists.length - 1;
  return page.next === null && !isLast ? { ...page, next: `${at.list + 1}:1` } : page;
}

interface Place {
  list: number;
  page: number;
}

/** `list:page`. */
function placeOf(place: string | null): Place {
  const [list = 0, page = 1] = (place ?? '0:1').split(':').map(Number);
  return { list, page };
}

/** A page of a list, oldest first; of what was made since `from`, where the list can tell. */
async function listOf(
  http: BillerHttp,
  { path, type }: PolarList,
  { place, now, from }: { place: Place; now: Date; from?: ReadFrom },
): Promise<ListPage> {
  const query = {
    limit: 100,
    page: place.page,
    // The list of refunds takes no beginning: it is read from the newest back to it.
    sorting: path === 'refunds' ? '-created_at' : 'created_at',
    created_after: path === 'orders' ? from?.made.toISOString() : undefined,
  };
  const answer = await callList(http, path, query);
  const items = listAt(answer, 'items');
  const pages = Number(valueAt(answer, 'pagination', 'max_page') ?? 1);
  const isMore = place.page < pages && (path !== 'refunds' || isMadeSince(items.at(-1), from));
  const told = path === 'refunds' && from ? await ordersOf(http, items, from) : items;
  const events = told.flatMap((item) => readOf(item, { type, now }) ?? []);
  return { events, next: isMore ? `${place.list}:${place.page + 1}` : null };
}

function isMadeSince(item: unknown, from: ReadFrom | undefined): boolean {
  return !from || (timeAt(item, 'created_at') ?? '') >= from.made.toISOString();
}

/** A refund that the bank is still busy with changes when it is through. */
function isChangedSince(item: unknown, from: ReadFrom): boolean {
  const at = timeAt(item, 'modified_at') ?? timeAt(item, 'created_at') ?? '';
  return at >= from.changed.toISOString();
}

/** The orders of the refunds that are read, each once, as they are now. */
async function ordersOf(
  http: BillerHttp,
  refunds: readonly unknown[],
  from: ReadFrom,
): Promise<Json[]> {
  const read = refunds.filter((one) => isMadeSince(one, from) && isChangedSince(one, from));
  const ids = new Set(read.flatMap((refund) => textAt(refund, 'order_id') ?? []));
  const orders: Json[] = [];
  for (const id of ids) {
    await from.pace();
    try {
      orders.push(await http.call('GET', `/v1/orders/${id}`));
    } catch (error) {
      if (billerHttpFailure(error) !== 'missing') throw error;
    }
  }
  return orders;
}

/** What was read of an object, as an event of ours: Polar names none for it. */
function readOf(
  item: unknown,
  { type, now }: { type: string; now: Date },
): ListedEvent | undefined {
  const id = textAt(item, 'id');
  if (id === null) return undefined;
  const hash = createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 24);
  const timestamp = now.toISOString();
  const text = JSON.stringify({ type, timestamp, data: item });
  return { text, deliveryId: `${readName}${type}:${id}:${hash}`, isRead: true };
}
