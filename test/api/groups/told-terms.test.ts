import { readFileSync } from 'node:fs';
import path from 'node:path';
import { useApp } from '../../support/app';
import { openTermsShop, percent } from '../../support/partners/groups';

const app = useApp();
const page = readFileSync(path.join(__dirname, '../../../docs/terms.md'), 'utf8');
const besides = page.split('## Besides')[1] ?? '';
const bodies = [...besides.matchAll(/```json\n([\s\S]+?)```/g)].map(([, json = '']) => json);

it('the bonus and the tier of the page of deals are taken as they stand there (docs/terms.md)', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold', commission: percent(4_000) });
  const named = bodies.map(
    (json) => JSON.parse(json.replace('0198c0de-6000-7000-8000-000000000006', gold.id)) as object,
  );
  const [bonuses, tiers] = named;
  expect(named).toHaveLength(2);
  const paid = await shop.api.put(`${shop.path}/bonuses`, bonuses);
  expect([paid.status, paid.body]).toMatchObject([200, bonuses]);
  const moved = await shop.api.put(`${shop.path}/tiers`, tiers);
  expect([moved.status, moved.body]).toMatchObject([200, tiers]);
});
