import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import type { MetricsDto, PartnerPageDto } from '../../../api/analytics/analytics.dto';
import { buildApiKey, buildMember, signIn } from '../../support/build/accounts';
import { buildVisits } from '../../support/build/figures';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';

const app = useApp();

async function shop() {
  const { manager } = app.deps.db;
  const program = await buildProgram(manager, { recurring: true });
  const { workspaceId, mode } = program;
  const participant = await buildParticipant(manager, { program });
  const { code } = await buildPromoCode(manager, participant);
  const { key } = await buildApiKey(manager, { workspaceId, mode });
  const member = await buildMember(manager, { workspaceId });
  const merchant = app.client.as((await signIn(app.deps, member)).accessToken, mode);
  const server = app.client.as(key);
  let sales = 0;
  const sell = async (fields: Record<string, unknown>) => {
    sales += 1;
    const body = {
      event_type: 'purchase',
      external_transaction_id: `t${sales}`,
      amount_cents: 1_000,
      currency: 'usd',
      ...fields,
    };
    const answer = await server.post<{ id: string }>('/api/v1/conversions', body);
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  return { program, participant, code, merchant, server, sell };
}

const today = new Date().toISOString().slice(0, 10);
// A sale of just before midnight is of yesterday by the time it is asked for.
const yesterday = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
const asked = (programId: string) => `?from=${yesterday}&to=${today}&tz=UTC&programId=${programId}`;

async function figures(merchant: Caller, programId: string) {
  const { body } = await merchant.get<MetricsDto>(`/api/v1/analytics/metrics${asked(programId)}`);
  const { conversions, newCustomers, renewals, leads, conversionRate } = body.current;
  return [conversions, newCustomers, renewals, leads, conversionRate];
}

describe('sales by kind', () => {
  it('win a customer with their first payment, once; what only the customer credits is a renewal', async () => {
    const { program, code, merchant, sell } = await shop();
    await sell({ promo_code: code, customer_id: 'c1' });
    await sell({ promo_code: code, customer_id: 'c1' });
    await sell({ customer_id: 'c1' });
    await sell({ promo_code: code, customer_id: 'c2' });
    expect(await figures(merchant, program.id)).toEqual([4, 2, 1, 0, 0]);
  });

  it('win one each without a customer, but no lead, no renewal and nobody unattributed', async () => {
    const { program, code, merchant, sell } = await shop();
    await sell({ promo_code: code });
    await sell({ promo_code: code });
    await sell({ promo_code: code, amount_cents: 0 });
    await sell({ promo_code: code, event_type: 'renewal' });
    await sell({ promo_code: 'NOBODY' });
    expect(await figures(merchant, program.id)).toEqual([4, 2, 1, 1, 0]);
  });

  it('are a lead first, and the customer is won by what they pay', async () => {
    const { program, code, merchant, sell } = await shop();
    await sell({ promo_code: code, customer_id: 'c1', amount_cents: 0 });
    expect(await figures(merchant, program.id)).toEqual([1, 0, 0, 1, 0]);
    await sell({ customer_id: 'c1' });
    expect(await figures(merchant, program.id)).toEqual([2, 1, 0, 1, 0]);
  });

  it('win one customer by many first payments at once', async () => {
    const { program, code, merchant, sell } = await shop();
    await Promise.all(
      Array.from({ length: 12 }, () => sell({ promo_code: code, customer_id: 'c1' })),
    );
    expect(await figures(merchant, program.id)).toEqual([12, 1, 0, 0, 0]);
  });

  it('leave renewals out of the rate, of partners too', async () => {
    const { program, participant, code, merchant, server, sell } = await shop();
    const at = new Date();
    await buildVisits(
      app.deps.db.manager,
      Array.from({ length: 4 }, () => ({ participant, at })),
    );
    const sale = await sell({ promo_code: code, customer_id: 'c1' });
    for (let month = 0; month < 3; month += 1)
      await sell({ customer_id: 'c1', event_type: 'renewal' });
    await server.post(`/api/v1/conversions/${sale}/refunds`, { external_refund_id: 'r1' });
    expect(await figures(merchant, program.id)).toEqual([4, 1, 3, 0, 0.25]);
    const { body } = await merchant.get<PartnerPageDto>(
      `/api/v1/analytics/partners${asked(program.id)}`,
    );
    expect(body.data[0]).toMatchObject({ conversions: 4, clicks: 4, conversionRate: 0.25 });
  });
});
