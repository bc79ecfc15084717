import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import { openTermsShop } from '../../support/partners/groups';

const app = useApp();

interface Decided {
  attributed: boolean;
  trace: { former: { fact: string; attributed: boolean; participant_id: string | null }[] };
}

it('says until when another answer held, and which fact changed it (attribution.md, Duplicates)', async () => {
  const shop = await openTermsShop(app);
  const [bringer, other] = [await shop.partner(), await shop.partner()];
  const { workspaceId } = shop.program;
  const { key } = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
  const server = app.client.as(key);
  const customer_id = newId();
  const paidAt = new Date(Date.now() - 3_600_000);
  const sale = await server.post<{ id: string }>('/api/v1/conversions', {
    external_transaction_id: newId(),
    event_type: 'purchase',
    click_id: newId(),
    customer_id,
    occurred_at: paidAt.toISOString(),
    ...{ amount_cents: 4_900, currency: 'usd' },
  });
  const decision = async () => {
    const path = `/api/v1/attribution/decisions/${sale.body.id}`;
    const { attributed, trace } = (await shop.api.get<Decided>(path)).body;
    return { attributed, former: trace.former };
  };
  expect(await decision()).toEqual({ attributed: false, former: [] });

  const signUp = { customer_id, promo_code: bringer.code };
  const at = new Date(paidAt.getTime() - 3_600_000).toISOString();
  const told = await server.post('/api/v1/customers', { ...signUp, occurred_at: at });
  expect(told.status).toBe(201);
  const nobody = {
    until: expect.any(String),
    fact: 'sign_up',
    ...{ attributed: false, reason: 'CLICK_NOT_FOUND', participant_id: null, amount_cents: 4_900 },
  };
  expect(await decision()).toEqual({ attributed: true, former: [nobody] });

  // The same fact again, and a hand that speaks of later payments only, change no answer.
  const again = await server.post('/api/v1/customers', { ...signUp, occurred_at: at });
  const binding = { participantId: other.id, reason: 'Agreed' };
  const given = await shop.api.put(`${shop.path}/customers/${customer_id}`, binding);
  expect([again.status, given.status]).toEqual([200, 200]);
  expect((await decision()).former).toEqual([nobody]);
});
