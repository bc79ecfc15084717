import { createStripeActivities } from '../../../activities/billing/activities';
import { receiveEvent } from '../../../activities/billing/events/receive';
import { execute, query, queryOne } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { FurtherBiller } from '../../../entities/rules/billing/biller';
import { processorActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { TestDeps } from '../app';
import { buildClick } from '../build/clicks';
import { buildParticipant, buildProgram, type BuiltParticipant } from '../build/programs';
import { paddleSecret, paddleSignature, type PaddleEvent } from './paddle';
import { polarHeaders, polarSecret, type PolarEvent } from './polar';

export type BillerTestEvent = PaddleEvent | PolarEvent;

/** A workspace that sells by Paddle or Polar, with one approved partner. Test mode. */
export interface BillerShop {
  scope: Scope;
  program: Program;
  participant: BuiltParticipant;
  connectionId: string;
  click(at?: Date): Promise<string>;
  /** Sends events as the biller does and processes each at once, in this order; gives our ids. */
  send(...events: BillerTestEvent[]): Promise<string[]>;
  process(eventId: string): Promise<void>;
  statuses(): Promise<string[]>;
}

type ShopDeps = Pick<TestDeps, 'db' | 'vault' | 'clock' | 'config' | 'log'>;

export async function buildBillerShop(
  deps: ShopDeps,
  biller: FurtherBiller,
  overrides: Partial<Program> & { apiKey?: string; in?: BillerShop } = {},
): Promise<BillerShop> {
  const db = deps.db.manager;
  const { apiKey, in: other, ...terms } = overrides;
  const program = other?.program ?? (await buildProgram(db, { mode: 'test', ...terms }));
  const participant = other?.participant ?? (await buildParticipant(db, { program }));
  const scope = { workspaceId: program.workspaceId, mode: program.mode };
  const connectionId = newId();
  const secret = biller === 'paddle' ? paddleSecret : polarSecret;
  const { vault } = deps;
  await execute(
    db,
    `INSERT INTO stripe_connections (id, workspace_id, mode, biller, restricted_key, webhook_secret,
       created_at, updated_at, read_began_at, read_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $7)`,
    [
      connectionId,
      scope.workspaceId,
      scope.mode,
      biller,
      apiKey === undefined
        ? null
        : vault.encrypt(apiKey, ['stripe_connections.restricted_key', connectionId]),
      vault.encrypt(secret, ['stripe_connections.webhook_secret', connectionId]),
      new Date(),
    ],
  );
  const activities = createStripeActivities(deps, { readGapMs: 0 });
  const process = async (eventId: string): Promise<void> => {
    await activities.attemptStripeEvent({ eventId });
  };
  const receive = async (event: BillerTestEvent): Promise<string> => {
    const { body, headers, eventId } = deliveryOf(event);
    const cause = { actor: processorActor, now: deps.clock.now() };
    const header = (name: string): string => headers[name] ?? '';
    const delivery = { biller, connectionId, body: Buffer.from(body), header };
    await receiveEvent({ db, vault }, cause, delivery);
    const row = await queryOne<{ id: string }>(
      db,
      'SELECT id FROM stripe_events WHERE connection_id = $1 AND stripe_event_id = $2',
      [connectionId, eventId],
    );
    if (!row) throw new Error('the event was not stored');
    return row.id;
  };
  return {
    ...{ scope, program, participant, connectionId, process },
    click: async (at) => (await buildClick(db, { participant, ...(at ? { at } : {}) })).id,
    async send(...events) {
      const ids: string[] = [];
      for (const event of events) {
        const id = await receive(event);
        await process(id);
        ids.push(id);
      }
      return ids;
    },
    async statuses() {
      const rows = await query<{ status: string }>(
        db,
        'SELECT status FROM stripe_events WHERE connection_id = $1 ORDER BY received_at, id',
        [connectionId],
      );
      return rows.map(({ status }) => status);
    },
  };
}

export function deliveryOf(event: BillerTestEvent): {
  body: string;
  headers: Record<string, string>;
  eventId: string;
} {
  if ('webhookId' in event) {
    const { webhookId, ...sent } = event;
    const body = JSON.stringify(sent);
    return { body, headers: polarHeaders(event, body), eventId: webhookId };
  }
  const body = JSON.stringify(event);
  return { body, headers: { 'paddle-signature': paddleSignature(body) }, eventId: event.event_id };
}
