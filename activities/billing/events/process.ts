import { rulesOf } from '../../../entities/rules/billers';
import type { BillerFacts } from '../../../entities/rules/billing/rules';
import { selectList } from '../../../entities/database/columns';
import { boundedTransaction, queryOne, type Db, type Tx } from '../../../entities/database/sql';
import { BillerConnection } from '../../../entities/tables/billing/biller-connection.entity';
import { BillerEvent } from '../../../entities/tables/billing/biller-event.entity';
import { processorActor } from '../../../entities/rules/values/actor';
import type { CommandContext } from '../../journal/cause';
import type { Deps } from '../../../runtime/process/deps';
import { keyOf, noteReads, scopeOf } from '../connection/connection';
import { applyInTransaction } from '../payments/apply';
import { readerOf } from '../readers';
import { readName, type LookupRequest } from '../reader';
import { findPaymentsByObjects } from '../payments/payments';
import { prospectOf } from '../payments/prospect';
import { findConversionsOf } from '../payments/settle';
import { asksItems, hasPromoCodes, mayBeOurs } from './is-ours';
import { finishEvent, type EventOutcome } from './progress';
import { saveDiscounts, withStoredCodes } from './discounts';
import { awaitRead } from './pace';
import type { EventTurns } from './turns';

export type ProcessingDeps = Pick<Deps, 'db' | 'config' | 'vault' | 'clock' | 'log'> & {
  turns: EventTurns;
  /** The time between two reads of a connection at Stripe. */
  readGapMs: number;
};

const used = [
  'id',
  'workspaceId',
  'mode',
  'biller',
  'connectionId',
  'stripeEventId',
  'type',
  'body',
  'status',
  'attempts',
  'receivedAt',
] as const satisfies (keyof BillerEvent)[];

/** An event with the key of its connection: null without one, and what else is known of that. */
export type ReceivedEvent = Pick<BillerEvent, (typeof used)[number]> &
  Pick<BillerConnection, 'restrictedKey' | 'invoicePayments'> & { connectedAt: Date };

const columns = `${selectList(BillerEvent, 'e', used)},
  ${selectList(BillerConnection, 'c', ['restrictedKey', 'invoicePayments'])}, c.created_at AS "connectedAt"`;

/** Undefined for one that was deleted meanwhile, by a reset of test data. */
export function findEvent(db: Db, id: string): Promise<ReceivedEvent | undefined> {
  return queryOne<ReceivedEvent>(
    db,
    `SELECT ${columns} FROM stripe_events e JOIN stripe_connections c ON c.id = e.connection_id
      WHERE e.id = $1`,
    [id],
  );
}

/** A biller acts on what its event is about, in the workspace and mode of the connection. */
export function contextOf(event: ReceivedEvent, now: Date): CommandContext {
  return { scope: scopeOf(event), actor: processorActor, now };
}

/** One attempt: what the event says is applied, and the event is marked, in one transaction. */
export async function processEvent(deps: ProcessingDeps, event: ReceivedEvent): Promise<void> {
  const text = deps.vault.decrypt(event.body, ['stripe_events.body', event.id]);
  const body: unknown = JSON.parse(text);
  const { biller } = event;
  const rules = rulesOf(biller);
  const header = rules.headerOf(body, event.stripeEventId);
  const foreign = header ? header.foreign(event.mode) : 'It is no event.';
  const read = foreign === null ? rules.factsOf(body, event.receivedAt.toISOString()) : null;
  const facts = read && (await withLookups(deps, event, read));

  const context = contextOf(event, deps.clock.now());
  if (facts) await readerOf(biller).note?.(deps.db.manager, event, facts);
  const finish = (tx: Tx, outcome: EventOutcome): Promise<void> =>
    finishEvent(tx, context, { eventId: event.id, outcome });
  if (facts?.discounts) {
    const told = { biller, connectionId: event.connectionId, discounts: facts.discounts };
    await boundedTransaction(deps.db, async (tx) => {
      await saveDiscounts(tx, context, told);
      await finish(tx, { status: 'processed', reason: null, paymentId: null });
    });
    return;
  }
  if (facts) {
    const prospect = prospectOf(deps.vault, facts.email);
    await deps.turns.transact(event.workspaceId, () =>
      applyInTransaction(deps.db.manager, context, {
        biller,
        facts,
        prospect,
        vault: deps.vault,
        then: finish,
      }),
    );
    return;
  }
  const reason = foreign ?? unreadReason(event);
  await boundedTransaction(deps.db, (tx) =>
    finish(tx, { status: 'ignored', reason, paymentId: null }),
  );
}

/** Why an event is of no use: its type, or an object that is none. */
function unreadReason({ biller, type }: ReceivedEvent): string {
  return rulesOf(biller).isRead(type)
    ? 'The event carries no object with an id.'
    : 'Events of this type are not used.';
}

/** Asks the biller for what the event leaves out, when there is a key to ask with. */
async function withLookups(
  deps: ProcessingDeps,
  event: ReceivedEvent,
  read: BillerFacts,
): Promise<BillerFacts> {
  const db = deps.db.manager;
  const facts = await withStoredCodes(db, event, read);
  if (event.restrictedKey === null) return facts;
  const context = contextOf(event, deps.clock.now());
  const ids = [...facts.ids, ...facts.objects.map(({ id }) => id)];
  const known = await findPaymentsByObjects(db, context.scope, ids);
  const stored = known.flatMap(({ objects }) => objects);
  const { biller } = event;
  const { summaryOf } = rulesOf(biller);
  const conversions = await findConversionsOf(db, context.scope, {
    biller,
    conversionId: known.find(({ conversionId }) => conversionId)?.conversionId ?? null,
    objects: [...stored, ...facts.ids.map((id) => ({ id, fact: null }))],
  });
  const { connectionId: id, mode, restrictedKey } = event;
  const account = { mode, key: keyOf(deps, { id, restrictedKey }) };
  const pace = (): Promise<void> => awaitRead(db, id, deps.readGapMs);
  const { scope } = context;
  const reader = readerOf(biller);
  const request: LookupRequest = {
    facts,
    stored,
    isConversion: conversions.length > 0,
    at: event.receivedAt.toISOString(),
    now: context.now,
    connectedAt: event.connectedAt,
    isRead: event.stripeEventId.startsWith(readName),
    isAgain: event.attempts > 0,
    hasCodes: summaryOf(facts.objects).hidesCode && (await hasPromoCodes(db, scope)),
    asksItems: await asksItems(db, scope),
    isOurs: ({ objects }) =>
      mayBeOurs(db, { ...scope, biller }, summaryOf([...stored, ...objects])),
  };
  const result = await reader.lookUp(deps.config, { account, pace }, request);
  await noteReads(db, context, { connectionId: id, biller, ...result });
  return result.facts;
}
