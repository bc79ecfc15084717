import { idAt, objectAt, textAt } from '../../../entities/rules/billing/json';
import {
  toldRules,
  withoutPast,
  type ToldFacts,
  type ToldSale,
} from '../../../entities/rules/billing/told';
import { transactionFacts } from '../../../entities/rules/paddle/rules';
import type { BillerHttp } from '../../../runtime/connections/biller-http';
import { createHttpReader, type HttpReader } from '../http-reader';
import type { LookupRequest, LookupResult } from '../reader';

/**
 * Asks Paddle for what an event leaves out: the transaction of an adjustment that nobody told of, the text of a
 * discount's code, the buyer's address. Network only: call it before the transaction.
 */
export async function lookUpAtPaddle(
  http: BillerHttp,
  pace: () => Promise<void>,
  request: LookupRequest,
): Promise<LookupResult> {
  const reader = createHttpReader('paddle', pace);
  const told = await withTransaction(reader, http, request);
  const coded =
    request.hasCodes || told !== request.facts
      ? await withCode(reader, http, { told, now: request.now })
      : told;
  const isNew = !request.isConversion && saleIn(coded) !== undefined;
  const facts =
    isNew && (await request.isOurs(coded)) ? await withEmail(reader, http, coded) : coded;
  return { facts, ...reader.reads() };
}

function saleIn({ objects }: ToldFacts): ToldSale | undefined {
  return objects.flatMap(({ fact }) => (fact?.kind === 'sale' ? [fact] : []))[0];
}

async function withTransaction(
  reader: HttpReader,
  http: BillerHttp,
  { facts: read, stored, now, connectedAt }: LookupRequest,
): Promise<ToldFacts> {
  const facts = read as ToldFacts;
  const isKnown =
    toldRules.tellsSale(facts.objects) || toldRules.isTold(toldRules.summaryOf(stored).sale);
  const id = facts.ids.find((one) => one.startsWith('txn_'));
  if (isKnown || id === undefined) return facts;
  const answer = await reader.ask('transactions', () => http.call('GET', `/transactions/${id}`));
  const data = objectAt(answer, 'data');
  if (idAt(data, 'id') !== id) return facts;
  const at = now.toISOString();
  const asked = transactionFacts({ id, data, told: { toldAt: precise(at), receivedAt: at } });
  return {
    ...facts,
    objects: [
      ...facts.objects,
      ...withoutPast(asked.objects, { stored, connectedAt: connectedAt.toISOString() }),
    ],
    ids: [...new Set([...facts.ids, ...asked.ids])],
  };
}

/** The time with microseconds: times of tellings are compared as texts. */
function precise(at: string): string {
  return `${at.slice(0, -1)}000Z`;
}

async function withCode(
  reader: HttpReader,
  http: BillerHttp,
  { told: facts, now }: { told: ToldFacts; now: Date },
): Promise<ToldFacts> {
  const [id] = toldRules.discountsOf?.(facts) ?? [];
  if (id === undefined) return facts;
  const answer = await reader.ask('discounts', () => http.call('GET', `/discounts/${id}`));
  if (!answer && reader.reads().refused.includes('discounts')) return facts;
  const code = textAt(answer, 'data', 'code') ?? '';
  return (toldRules.withCodes?.(facts, [{ id, code, toldAt: precise(now.toISOString()) }]) ??
    facts) as ToldFacts;
}

async function withEmail(
  reader: HttpReader,
  http: BillerHttp,
  facts: ToldFacts,
): Promise<ToldFacts> {
  const customer = saleIn(facts)?.billers[0];
  if (customer === undefined) return facts;
  const answer = await reader.ask('customers', () => http.call('GET', `/customers/${customer}`));
  return { ...facts, email: textAt(answer, 'data', 'email') };
}
