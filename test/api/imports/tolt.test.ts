import { codeOf } from '../../support/api-client';
import type { Json } from '../../support/sources/stand-in';
import { useSources } from '../../support/sources/use-sources';

const own = useSources();

describe('Tolt', () => {
  const of = (program_id: string, more: Json): Json => {
    return { program_id, created_at: '2024-02-01T10:00:00.000Z', more: null, ...more };
  };

  beforeEach(() => {
    own.tolt.lists = {
      // docs.tolt.com/api-reference/programs: id, name
      '/v2/programs': [
        { id: 'prg_1', name: 'Shop' },
        { id: 'prg_2', name: 'Other' },
      ],
      // docs.tolt.com/partners/list; payout_method and payout_details are of version 1
      '/v2/partners': [
        of('prg_1', {
          id: 'part_1',
          first_name: 'Ann',
          last_name: 'One',
          email: 'ann@example.com',
          status: 'active',
          payout_method: 'paypal',
          payout_details: { email: 'ann-pay@example.com' },
        }),
        of('prg_1', { id: 'part_2', email: 'bob@example.com', status: 'rejected' }),
        of('prg_2', { id: 'part_3', email: 'eve@example.com', status: 'active' }),
      ],
      // docs.tolt.com/concepts/programs-groups: param, value
      '/v2/links': Array.from({ length: 150 }, (_, n) =>
        of('prg_1', { id: `lnk_${n}`, partner_id: 'part_1', param: 'ref', value: `ann${n}` }),
      ),
      // docs.tolt.com/promotion-codes/list
      '/v2/promotion-codes': [
        of('prg_1', { id: 'prc_1', partner_id: 'part_1', code: 'ANN20', active: true }),
        of('prg_1', { id: 'prc_2', partner_id: null, code: 'ALL', active: true }),
      ],
      // docs.tolt.com/customers/create: customer_id is the merchant's
      '/v2/customers': [
        of('prg_1', {
          id: 'cus_tolt1',
          customer_id: 'cus_stripe1',
          partner_id: 'part_1',
          lead_at: '2024-02-02T10:00:00.000Z',
          active_at: '2024-02-03T10:00:00.000Z',
        }),
      ],
      // docs.tolt.com/commissions/create: sums are texts of minor units
      '/v2/commissions': [
        of('prg_1', {
          id: 'comm_1',
          partner_id: 'part_1',
          customer_id: 'cus_tolt1',
          charge_id: 'ch_1',
          amount: '1999',
          revenue: '9999',
          currency: null,
          status: 'approved',
        }),
        of('prg_1', {
          id: 'comm_2',
          partner_id: 'part_1',
          customer_id: 'cus_tolt1',
          transaction_id: 'txn_2',
          amount: '500',
          revenue: null,
          currency: 'EUR',
          status: 'refunded',
        }),
      ],
    };
  });

  it('wants one of its programmes, and is read by cursors', async () => {
    expect(codeOf(await own.begin({ source: 'tolt' }))).toEqual([422, 'IMPORT_CHOICE']);
    expect(codeOf(await own.begin({ source: 'tolt', only: ['prg_9'] }))).toEqual([
      422,
      'IMPORT_CHOICE',
    ]);
    const { read } = await own.check({ source: 'tolt', only: ['shop'] });
    expect([read.only, read.error]).toEqual([['prg_1'], null]);
    expect(read.report).toMatchObject({
      kinds: [
        { read: 2, new: 1, skipped: 1 },
        { read: 151, new: 151 },
        { read: 1, new: 1 },
        { read: 2, new: 2 },
      ],
      money: [
        { currency: 'eur', openCents: 0, paidCents: 0, voidCents: 500 },
        { currency: 'usd', openCents: 1_999, paidCents: 0 },
      ],
      params: ['via', 'ref'],
    });
  });

  it('finds the programme that is named later, and wants one all the same', async () => {
    const made = await own.begin({ source: 'tolt', only: ['shop'] });
    const one = `${own.path}/${made.body.id}`;
    expect(codeOf(await own.api.patch(one, { only: null }))).toEqual([422, 'IMPORT_CHOICE']);
    expect(codeOf(await own.api.patch(one, { only: ['Nobody'] }))).toEqual([422, 'IMPORT_CHOICE']);
    const other = await own.api.patch(one, { only: ['OTHER'] });
    expect([other.status, other.body['only']]).toEqual([200, ['prg_2']]);
    await own.api.post(`${one}/check`);
    await own.work(made.body.id);
    expect((await own.read(made.body.id)).report?.kinds[0]).toMatchObject({ read: 1, new: 1 });
    own.tolt.lists['/v2/programs']?.pop();
    const only = await own.api.patch(one, { only: null });
    expect(only.body['only']).toEqual(['prg_1']);
  });
});
