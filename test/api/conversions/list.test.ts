import { query } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import type { BuiltParticipant } from '../../support/build/programs';
import {
  buildReportingMerchant,
  type Conversion,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';

interface Page {
  data: Conversion[];
  total: number;
}

const app = useApp();
let merchant: Caller;
let participant: BuiltParticipant;
let report: ReportingMerchant['report'];

beforeEach(async () => {
  ({ merchant, participant, report } = await buildReportingMerchant(app));
});

const path = '/api/v1/conversions';

describe('GET /api/v1/conversions', () => {
  const list = (search: string) => merchant.get<Page>(`${path}?${search}`);
  const idsOf = ({ body: page }: { body: Page }) => page.data.map(({ id }) => id);

  it('filters, newest first, by every id of the payment', async () => {
    const first = (await report({ event_type: 'signup' })).body;
    const second = (await report({ click_id: 'unknown' })).body;
    await query(
      app.deps.db.manager,
      `INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
       VALUES ($1, 'test', 'pi_%_1', $2)`,
      [participant.workspaceId, first.id],
    );
    expect(idsOf(await list(''))).toEqual([second.id, first.id]);
    expect(idsOf(await list('attributed=true'))).toEqual([first.id]);
    expect(idsOf(await list('attributed=false'))).toEqual([second.id]);
    expect(idsOf(await list('event_type=signup'))).toEqual([first.id]);
    expect(idsOf(await list(`external_transaction_id=${second.external_transaction_id}`))).toEqual([
      second.id,
    ]);
    expect(idsOf(await list(`external_transaction_id=${encodeURIComponent('pi_%_1')}`))).toEqual([
      first.id,
    ]);
    expect(idsOf(await list('external_transaction_id=pi_x_1'))).toEqual([]);
    expect(idsOf(await list(`dateFrom=${first.created_at}&dateTo=${second.created_at}`))).toEqual(
      first.created_at === second.created_at ? [] : [first.id],
    );
    expect((await list('limit=1&page=2')).body).toMatchObject({
      data: [{ id: first.id }],
      total: 2,
      page: 2,
      limit: 1,
    });
  });

  it.each([
    'limit=101',
    'limit=0',
    'page=0',
    'attributed=maybe',
    'dateFrom=tomorrow',
    'dateTo=2026-13-01',
  ])('refuses %s', async (search) => {
    expect((await list(search)).status).toBe(400);
  });

  it('shows nothing of another workspace or mode, in lists or by id', async () => {
    const { body: conversion } = await report();
    const db = app.deps.db.manager;
    const { workspaceId } = participant;
    for (const key of [
      await buildApiKey(db),
      await buildApiKey(db, { workspaceId, mode: 'live' }),
    ]) {
      const stranger = app.client.as(key.key);
      expect((await stranger.get<Page>(path)).body.total).toBe(0);
      for (const route of ['', '/refunds']) {
        const answer = await stranger.get(`${path}/${conversion.id}${route}`);
        expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
      }
    }
    expect((await merchant.get(`${path}/nonsense`)).status).toBe(404);
  });
});
