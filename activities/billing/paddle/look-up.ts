import { idAt, objectAt, textAt } from '../../../entities/rules/billing/json';
import {
  toldRules,
  withoutPast,
  type ToldFacts,
  type ToldSale,
} from '../../../entities/rules/billing/told';
import { transactionFacts } from '../../../entities/rules/paddle/rules';
import type { BillerHttp } from '../../../runtime/connections/biller-http';
import { createHttpAsker, type HttpAsker } from '../http-asker';
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
  const asker = createHttpAsker('paddle', pace);
  const told = await withTransaction(asker, http, request);
  const coded =
    request.hasCodes || told !== request.facts
      ? await withCode(asker, http, { told, now: request.now })
      : told;
  const isNew = !request.isConversion && saleIn(coded) !== undefined;
  const facts =
    isNew && (await request.isOurs(coded)) ? await withEmail(asker, http, coded) : coded;
  return { facts, ...asker.reads() };
}

function saleIn({ objects }: ToldFacts): ToldSale | undefined {
  return objects.flatMap(({ fact }) => (fact?.kind === 'sale' ? [fact] : []))[0];
}

async function withTransaction(
  asker: HttpAsker,
  http: BillerHttp,
  { facts: read, stored, now, connectedAt }: LookupRequest,
): Promise<ToldFacts> {
  const facts = read as ToldFacts;
  const isKnown =
    toldRules.tellsSale(facts.objects) || toldRules.isTold(toldRules.summaryOf(stored).sale);
  const id = facts.ids.find((one) => one.startsWith('txn_'));
  if (isKnown || id === undefined) return facts;
  const answer = await asker.ask('transactions', () => http.call('GET', `/transactions/${id}`));
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

/** As tellings are compared. */
function precise(at: string): string {
  return `${at.slice(0, -1)}000Z`;
}

async function withCode(
  asker: HttpAsker,
  http: BillerHttp,
  { told: facts, now }: { told: ToldFacts; now: Date },
): Promise<ToldFacts> {
  const [id] = toldRules.discountsOf?.(facts) ?? [];
  if (id === undefined) return facts;
  const answer = await asker.ask('discounts', () => http.call('GET', `/discounts/${id}`));
  if (!answer && asker.reads().refused.includes('discounts')) return facts;
  const code = textAt(answer, 'data', 'code') ?? '';
  return (toldRules.withCodes?.(facts, [{ id, code, toldAt: precise(now.toISOString()) }]) ??
    facts) as ToldFacts;
}

async function withEmail(asker: HttpAsker, http: BillerHttp, facts: ToldFacts): Promise<ToldFacts> {
  const customer = saleIn(facts)?.billers[0];
  if (customer === undefined) return facts;
  const answer = await asker.ask('customers', () => http.call('GET', `/customers/${customer}`));
  return { ...facts, email: textAt(answer, 'data', 'email') };
}
