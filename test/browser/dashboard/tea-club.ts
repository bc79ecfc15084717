import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';

/** A workspace with one of everything that has a page of its own. */
export interface TeaClub {
  programId: string;
  participantId: string;
  /** Pages below /app of one record each, by what they show. */
  details: Record<'sale' | 'commission' | 'partner' | 'payout' | 'webhook' | 'import', string>;
}

export async function buildTeaClub(api: Caller): Promise<TeaClub> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await api.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const program = await post('/api/v1/programs', {
    name: 'Tea partners',
    websiteUrl: 'https://shop.example',
    commission: { type: 'percentage', rateBps: 2_000 },
  });
  const programId = String(program['id']);
  const path = `/api/v1/programs/${programId}`;
  const email = `ada-${newId().slice(-12)}@example.com`;
  const participant = await post(`${path}/partners`, { email, name: 'Ada Partner' });
  const participantId = String(participant['id']);
  const code = `ADA${newId().slice(-6).toUpperCase()}`;
  await post(`${path}/partners/${participantId}/promo-codes`, { code });
  const sale = await post('/api/v1/conversions', {
    external_transaction_id: `sale-${newId()}`,
    event_type: 'purchase',
    promo_code: code,
    amount_cents: 4_900,
    currency: 'usd',
    customer_id: 'buyer-1',
  });
  const commission = sale['commission'] as { id: string };
  const bonus = { amountCents: 2_500, reason: 'For the spring' };
  await post(`${path}/partners/${participantId}/adjustments`, bonus);
  const payout = await post('/api/v1/payouts', { programId });
  const webhook = await post('/api/v1/webhooks', {
    url: 'http://127.0.0.1:9009/hook',
    events: ['*'],
  });
  const cutover = '2026-01-01T00:00:00.000Z';
  const moving = await post(`${path}/imports`, { source: 'csv', cutover });
  const importPath = `${path}/imports/${String(moving['id'])}`;
  const headers = { 'Content-Type': 'text/csv' };
  await api.put(`${importPath}/files/links`, 'partner,token\np1,tea', { headers });
  return {
    programId,
    participantId,
    details: {
      sale: `/sales/${String(sale['id'])}`,
      commission: `/commissions/${programId}/${commission.id}`,
      partner: `/partners/${programId}/${participantId}`,
      payout: `/payouts/${String(payout['id'])}`,
      import: `/move-in/${programId}/${String(moving['id'])}`,
      webhook: `/developers/webhooks/${String(webhook['id'])}`,
    },
  };
}
