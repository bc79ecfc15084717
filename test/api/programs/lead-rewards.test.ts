import { readFileSync } from 'node:fs';
import path from 'node:path';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { callerOf } from '../../support/callers';
import { buildReportingMerchant } from '../../support/shops/reporting-merchant';

const app = useApp();

/** What docs/lead-and-sign-up-rewards.md tells to send: rules, then a report. */
const page = readFileSync(
  path.join(__dirname, '../../../docs/lead-and-sign-up-rewards.md'),
  'utf8',
);
const [rules, lead] = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
);

it('pays a sign-up once, by the words of the page', async () => {
  const shop = await buildReportingMerchant(app);
  const { workspaceId, programId } = shop.participant;
  const admin = await buildMember(app.deps.db.manager, { workspaceId });
  const merchant = await callerOf(app, admin, 'test');
  await merchant.put(`/api/v1/programs/${programId}/commission-rules`, rules);

  const report = { ...lead, click_id: shop.click.id };
  const { status, body } = await shop.merchant.post('/api/v1/conversions', report);
  expect([status, body]).toMatchObject([
    201,
    { attributed: true, commission: { amount_cents: 500, status: 'pending' } },
  ]);
  const again = await shop.merchant.post('/api/v1/conversions', report);
  expect(again.status).toBe(409);

  const trial = { ...report, external_transaction_id: 'trial-4711', event_type: 'trial' };
  const other = await shop.merchant.post('/api/v1/conversions', trial);
  expect(other.body).toMatchObject({ commission: { amount_cents: 1_000 } });
  // A word that no rule names: counted, and a percentage of nothing.
  const demo = { ...report, external_transaction_id: 'demo-4711', event_type: 'demo' };
  const counted = await shop.merchant.post('/api/v1/conversions', demo);
  expect(counted.body).toMatchObject({ attributed: true, commission: null });
});
