import { createPayout } from '../../../activities/payouts/payouts';
import type { PayoutRecord } from '../../../activities/payouts/records';
import { advanceBatch, type BatchState } from '../../../activities/sending/advance';
import { execute, query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { maskedLabel } from '../../../entities/rules/payouts/method';
import type { TestApp } from '../app';
import type { Caller } from '../api-client';
import { buildMember, buildPartner, signIn, type BuiltMember } from '../build/accounts';
import { buildCommission } from '../build/commissions';
import { buildParticipant, buildProgram, type BuiltParticipant } from '../build/programs';
import { buildTwoFactor, codeAt } from '../build/two-factor';
import { client, type PayPalStandIn } from './stand-in';

export interface PayPalShop {
  member: BuiltMember;
  programId: string;
  partners: BuiltParticipant[];
  /** A caller that signs in anew by the clock of the test. */
  api(): Promise<Caller>;
  /** A code that was not used yet: moves the clock on by a step or two. */
  code(): string;
  /** A payout of one commission of 20.00 each for these partners. */
  payout(partners?: readonly BuiltParticipant[]): Promise<PayoutRecord>;
  send(payout: { id: string }, body?: object): ReturnType<Caller['post']>;
}

interface Options {
  partners?: number;
  limitCents?: number;
  mode?: 'test' | 'live';
  currency?: string;
  /** The owner of the workspace; one of its own when left out. */
  member?: BuiltMember;
  isConnected?: boolean;
}

/** A merchant who is connected to the stand-in, with partners who are paid by PayPal. */
export async function buildPayPalShop(app: TestApp, options: Options = {}): Promise<PayPalShop> {
  const {
    partners: count = 1,
    limitCents = 100_000_000,
    mode = 'live',
    currency = 'usd',
  } = options;
  const { deps } = app;
  const db = deps.db.manager;
  const member = options.member ?? (await buildMember(db, { role: 'owner' }));
  const { workspaceId } = member;
  const { secret } = await buildTwoFactor(deps, member);
  const program = await buildProgram(db, { workspaceId, mode, currency });
  const partners: BuiltParticipant[] = [];
  for (let place = 0; place < count; place += 1) {
    const { id: partnerId } = await buildPartner(db);
    const participant = await buildParticipant(db, { program, partnerId });
    await payBy(app, participant, `payee-${place}-${newId().slice(-6)}@partner.test`);
    partners.push(participant);
  }
  const limits = [{ currency, amountCents: limitCents }];
  if (options.isConnected ?? true) await connect(app, { workspaceId, mode }, limits);
  const scope = { workspaceId, mode };
  const api = async (): Promise<Caller> => {
    const { accessToken } = await signIn(deps, member);
    return app.client.as(accessToken, mode);
  };
  const code = (): string => {
    deps.clock.advance(90_000);
    return codeAt(secret, deps.clock.now());
  };
  return {
    member,
    programId: program.id,
    partners,
    api,
    code,
    async payout(paid = partners) {
      const commissionIds: string[] = [];
      for (const participant of paid) {
        const made = await buildCommission(db, { participant, program, status: 'approved' });
        commissionIds.push(made.id);
      }
      const actor = { type: 'member', id: member.id } as const;
      return createPayout(
        db,
        { actor, now: deps.clock.now(), scope },
        { program: { ...program, minPayoutCents: 0 }, commissionIds, reference: 'März 1' },
      );
    },
    async send({ id }, body = {}) {
      const caller = await api();
      const choice = { provider: 'paypal', ...body };
      const dry = await caller.post<{ items: number; amountCents: number }>(
        `/api/v1/payouts/${id}/send`,
        { ...choice, dryRun: true },
      );
      const { items, amountCents } = dry.body;
      const expected = { items: items || 1, amountCents: amountCents || 1 };
      return caller.post(`/api/v1/payouts/${id}/send`, { expected, code: code(), ...choice });
    },
  };
}

/** The partner's account says how it is paid. */
export async function payBy(
  { deps }: TestApp,
  { partnerId }: { partnerId: string },
  email: string,
): Promise<void> {
  const method = { type: 'paypal', email } as const;
  const place = ['partner_accounts.payout_method', partnerId] as const;
  await execute(
    deps.db.manager,
    `UPDATE partner_accounts SET payout_method_type = 'paypal', payout_method_label = $2,
       payout_method_encrypted = $3, payout_method_said_at = $4, email_verified_at = now()
      WHERE id = $1`,
    [
      partnerId,
      maskedLabel(method),
      deps.vault.encrypt(JSON.stringify(method), place),
      deps.clock.now(),
    ],
  );
  await execute(
    deps.db.manager,
    'UPDATE participants SET claimed_at = created_at WHERE partner_id = $1',
    [partnerId],
  );
}

async function connect(
  { deps }: TestApp,
  { workspaceId, mode }: { workspaceId: string; mode: string },
  limits: object[],
): Promise<void> {
  const id = newId();
  const sealed = deps.vault.encrypt(client.clientSecret, ['payout_connections.client_secret', id]);
  await execute(
    deps.db.manager,
    `INSERT INTO payout_connections (id, workspace_id, mode, provider, client_id, client_secret,
       created_at, updated_at) VALUES ($1, $2, $3, 'paypal', $4, $5, now(), now())`,
    [id, workspaceId, mode, client.clientId, sealed],
  );
  await execute(deps.db.manager, 'UPDATE workspaces SET payout_daily_limits = $2 WHERE id = $1', [
    workspaceId,
    JSON.stringify(limits),
  ]);
}

/** What a workflow does once it looks, for each batch of the payout. */
export async function advance(app: TestApp, { id }: { id: string }): Promise<BatchState[]> {
  const batches = await query<{ id: string }>(
    app.deps.db.manager,
    'SELECT id FROM payout_batches WHERE payout_id = $1 ORDER BY created_at, id',
    [id],
  );
  const states: BatchState[] = [];
  for (const { id: batchId } of batches) states.push(await advanceBatch(app.deps, { batchId }));
  return states;
}

/** The same after so long, when the next question or try is due. */
export async function later(app: TestApp, payout: { id: string }, ms: number) {
  app.deps.clock.advance(ms);
  return advance(app, payout);
}

export interface ShownItem {
  id: string;
  reference: string;
  status: string;
  transactionId: string | null;
  reason: string | null;
  provider: string | null;
  providerStatus: string | null;
  attention: { reason: string } | null;
  claimUntil: string | null;
  fee: { amountCents: number; currency: string } | null;
}

export async function itemsOf(shop: PayPalShop, { id }: { id: string }): Promise<ShownItem[]> {
  const { body } = await (await shop.api()).get<{ items: ShownItem[] }>(`/api/v1/payouts/${id}`);
  return body.items;
}

/** `sending`, or `sending!word` where a person has to look. */
export async function statusesOf(shop: PayPalShop, payout: { id: string }): Promise<string[]> {
  const items = await itemsOf(shop, payout);
  return items.map(
    ({ status, attention }) => `${status}${attention ? `!${attention.reason}` : ''}`,
  );
}

export async function batchesOf(shop: PayPalShop, { id }: { id: string }) {
  const { body } = await (
    await shop.api()
  ).get<{ data: Record<string, unknown>[] }>(`/api/v1/payouts/${id}/batches`);
  return body.data;
}

/**
 * Our books against those of the stand-in: each reference is out exactly as often as our books say that it was
 * paid and did not come back, or a person is asked to check it.
 */
export async function compareBooks(
  app: TestApp,
  paypal: PayPalStandIn,
  payout?: { id: string },
): Promise<string[]> {
  const rows = await query<{
    reference: string;
    status: string;
    attention: string | null;
    cents: number;
  }>(
    app.deps.db.manager,
    `SELECT i.reference, i.status, i.attention_reason AS attention,
            coalesce((SELECT -sum(l.amount_cents) FROM ledger_entries AS l
              JOIN payout_lines AS n ON n.commission_id = l.commission_id AND n.item_id = i.id
             WHERE l.payout_id = i.payout_id AND l.type IN ('payout', 'payout_reversal')), 0)::bigint
              AS cents
       FROM payout_items AS i WHERE $1::uuid IS NULL OR i.payout_id = $1`,
    [payout?.id ?? null],
  );
  return rows.flatMap(({ reference, status, attention, cents }) => {
    const out = paypal.books.outBy(reference);
    const booked = status === 'paid' ? 1 : 0;
    const isBooked = booked === 1 ? cents > 0 : cents === 0;
    if (!isBooked) return [`${reference} is ${status} with ${cents} in the ledger`];
    if (out > 1 && attention === null)
      return [`${reference} is out ${out} times and nobody is told`];
    return out === booked || attention !== null
      ? []
      : [`${reference} is ${status} and out ${out} times`];
  });
}
