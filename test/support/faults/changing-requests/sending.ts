import { execute, queryOne } from '../../../../entities/database/sql';
import type { TestApp } from '../../app';
import { buildMember } from '../../build/accounts';
import { callerOf } from '../../callers';
import { buildTwoFactor, codeAt } from '../../build/two-factor';
import { buildPayPalShop } from '../../paypal/shop';
import { client } from '../../paypal/stand-in';
import { merchant, type Setup } from './worlds';

/** Somebody who may send, with a code that was not used yet. */
async function sender(app: TestApp, workspaceId: string, role: 'admin' | 'owner' = 'admin') {
  const member = await buildMember(app.deps.db.manager, { role, workspaceId });
  const { secret } = await buildTwoFactor(app.deps, member);
  const by = await callerOf(app, member, 'test');
  return { by, code: codeAt(secret, app.deps.clock.now()) };
}

/** A shop that is connected, and a payout of one item. */
async function shop(app: TestApp) {
  const { member, api, payout } = await buildPayPalShop(app, { mode: 'test' });
  const { id } = await payout();
  return { owner: await api(), id, workspaceId: member.workspaceId };
}

const sendingBody = (code: string) => ({
  provider: 'paypal',
  expected: { items: 1, amountCents: 2_000 },
  code,
});

/** The same with its only batch on the way, as if its provider had answered, or never had. */
async function sent(app: TestApp, state: string) {
  const { id, workspaceId } = await shop(app);
  const { by, code } = await sender(app, workspaceId);
  await by.post(`/api/v1/payouts/${id}/send`, sendingBody(code));
  const { manager } = app.deps.db;
  await execute(manager, `UPDATE payout_batches SET ${state} WHERE payout_id = $1`, [id]);
  const batch = await queryOne<{ id: string }>(
    manager,
    'SELECT id FROM payout_batches WHERE payout_id = $1',
    [id],
  );
  return { by, ids: { id, batchId: batch?.id ?? '' }, workspaceId };
}

/** What of a payout that is sent asks no provider before it is answered. */
export const sendingRequests: Record<string, Setup> = {
  sendPayout: async (app) => {
    const { id, workspaceId } = await shop(app);
    const { by, code } = await sender(app, workspaceId);
    return { by, ids: { id }, body: sendingBody(code) };
  },
  askPayoutBatch: async (app) =>
    sent(app, `status = 'taken', provider_batch_id = id::text, taken_at = now()`),
  resolvePayoutBatch: async (app) => {
    const { ids, workspaceId } = await sent(
      app,
      `status = 'attention', attention_reason = 'unanswered'`,
    );
    const { by, code } = await sender(app, workspaceId);
    return { by, ids, body: { nothingSent: true, code } };
  },
  deletePayoutProvider: async (app) => ({
    by: (await shop(app)).owner,
    ids: { provider: 'paypal' },
  }),
};

/** What asks the provider before it is answered: where a stand-in for it is there. */
export const providerRequests: Record<string, Setup> = {
  putPayoutProvider: async (app) => {
    const { account } = await merchant(app);
    const { by, code } = await sender(app, account.workspaceId, 'owner');
    return { by, ids: { provider: 'paypal' }, body: { ...client, code } };
  },
};
