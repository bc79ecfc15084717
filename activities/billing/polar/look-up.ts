import { idAt, listAt } from '../../../entities/rules/billing/json';
import { toldRules, withoutPast, type ToldFacts } from '../../../entities/rules/billing/told';
import { disputeFacts, orderFacts } from '../../../entities/rules/polar/rules';
import type { BillerHttp } from '../../../runtime/connections/biller-http';
import { callList } from './lists';
import { createHttpReader, type HttpReader } from '../http-reader';
import type { LookupRequest, LookupResult } from '../reader';

/**
 * Asks Polar for what an event leaves out: the order that a refund or dispute is of, as it is now, and, of an event
 * that is processed again, its disputes. Network only: call it before the transaction.
 */
export async function lookUpAtPolar(
  http: BillerHttp,
  pace: () => Promise<void>,
  request: LookupRequest,
): Promise<LookupResult> {
  const reader = createHttpReader('polar', pace);
  const [id] = request.facts.ids;
  const told = request.facts as ToldFacts;
  if (id === undefined) return { facts: told, ...reader.reads() };
  const facts = await withOrder(reader, http, { ...request, id });
  const all = request.isAgain ? await withDisputes(reader, http, { ...request, facts, id }) : facts;
  return { facts: all, ...reader.reads() };
}

type Asked = LookupRequest & { id: string };

async function withOrder(reader: HttpReader, http: BillerHttp, asked: Asked): Promise<ToldFacts> {
  const facts = asked.facts as ToldFacts;
  const isOfOrder = toldRules.tellsSale(facts.objects);
  const isDispute = facts.objects.length > 0;
  const { id, stored, connectedAt } = asked;
  const isKnown = isDispute && toldRules.isTold(toldRules.summaryOf(stored).sale);
  const past = { stored, connectedAt: connectedAt.toISOString() };
  if (isOfOrder && asked.isRead) return { ...facts, objects: withoutPast(facts.objects, past) };
  if (isOfOrder || isKnown) return facts;
  const data = await reader.ask('orders', () => http.call('GET', `/v1/orders/${id}`));
  if (!data || idAt(data, 'id') !== id) return facts;
  const order = orderFacts({ id, data, told: toldNow(asked) });
  return {
    objects: [...facts.objects, ...withoutPast(order.objects, past)],
    ids: [...new Set([...facts.ids, ...order.ids])],
    email: order.email,
  };
}

async function withDisputes(
  reader: HttpReader,
  http: BillerHttp,
  asked: Asked & { facts: ToldFacts },
): Promise<ToldFacts> {
  const { facts, id: order } = asked;
  const query = { order_id: order, limit: 100 };
  const answer = await reader.ask('disputes', () => callList(http, 'disputes', query));
  const found = listAt(answer, 'items').flatMap((data) => {
    const id = idAt(data, 'id');
    if (id === null || typeof data !== 'object' || data === null) return [];
    const read = disputeFacts({ id, data: { ...data }, told: toldNow(asked) });
    return read?.ids.includes(order) ? read.objects : [];
  });
  return { ...facts, objects: [...facts.objects, ...found] };
}

/** The times of facts that are read now, in place of the times of an event. */
function toldNow({ now }: LookupRequest): { toldAt: string; receivedAt: string } {
  const at = now.toISOString();
  return { toldAt: `${at.slice(0, -1)}000Z`, receivedAt: at };
}
