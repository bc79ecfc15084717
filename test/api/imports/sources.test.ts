import { runImportTurn } from '../../../activities/imports/turn';
import type { ImportDto } from '../../../api/imports/imports.dto';
import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { cutover } from '../../support/imports';
import type { Json } from '../../support/sources/stand-in';
import { credentials, rewardfulLists, useSources } from '../../support/sources/use-sources';

const own = useSources();

const fill = (more: Record<string, Json[]> = {}): void => {
  own.rewardful.lists = rewardfulLists(more);
};

describe('a key', () => {
  it('is tried without a transaction that waits for the source', async () => {
    fill();
    const waiting = `SELECT count(*) AS count FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`;
    const seen: unknown[] = [];
    own.rewardful.onCall = async () => {
      seen.push(...(await query(own.db, waiting)));
    };
    const headers = { 'Idempotency-Key': 'tried' };
    const body = { source: 'rewardful', cutover, credentials };
    const [made, again] = [
      await own.api.post(own.path, body, { headers }),
      await own.api.post(own.path, body, { headers }),
    ];
    expect([made.status, again.body['id']]).toEqual([201, made.body['id']]);
    expect(seen).toEqual([{ count: 0 }]);
  });
});

it('keeps its key encrypted, and never answers it', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful' });
  expect(made.text).not.toContain('good-key');
  const [kept] = await query<{ key: string }>(
    own.db,
    'SELECT credentials_encrypted AS key FROM imports WHERE id = $1',
    [made.body.id],
  );
  expect(kept?.key).toMatch(/^v1\./);
  expect(kept?.key).not.toContain('good-key');
  await own.api.post(`${own.path}/${made.body.id}/cancel`);
  const gone = await query(
    own.db,
    'SELECT credentials_encrypted AS key FROM imports WHERE id = $1',
    [made.body.id],
  );
  expect(gone).toEqual([{ key: null }]);
});

it('keeps nothing where the key is refused', async () => {
  fill();
  const answer = await own.begin({ source: 'rewardful', credentials: { apiKey: 'bad-key' } });
  expect(codeOf(answer)).toEqual([422, 'IMPORT_KEY_REJECTED']);
  expect((await own.api.get<{ total: number }>(own.path)).body.total).toBe(0);
});

it('takes a key that is refused later away, and says so', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful' });
  const one = `${own.path}/${made.body.id}`;
  await own.api.post(`${one}/check`);
  own.rewardful.keys.clear();
  await own.work(made.body.id);
  const { body } = await own.api.get<ImportDto>(one);
  expect([body.status, body.error?.code]).toEqual(['failed', 'IMPORT_KEY_REJECTED']);
  expect(codeOf(await own.api.post(`${one}/check`))).toEqual([422, 'IMPORT_KEY_REJECTED']);
});

it('an import is cancelled while it waits for its source', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful' });
  const one = `${own.path}/${made.body.id}`;
  await own.api.post(`${one}/check`);
  own.rewardful.moods = [{ status: 429, headers: { 'retry-after': '60' } }];
  const turn = await runImportTurn(own.app.deps, made.body.id);
  expect(turn.waitMs).toBeGreaterThan(50_000);
  expect((await own.api.post(`${one}/cancel`)).status).toBe(202);
  expect(await own.work(made.body.id)).toEqual([]);
  expect(own.rewardful.calls.filter((call) => call.path === '/campaigns')).toHaveLength(2);
});

it('takes no files', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful' });
  const file = await own.api.put(
    `${own.path}/${made.body.id}/files/partners`,
    'partner_id,email\na,b@c.de',
    {
      headers: { 'Content-Type': 'text/csv' },
    },
  );
  expect(codeOf(file)).toEqual([409, 'IMPORT_INVALID_STATE']);
});

it.each([
  [{ source: 'rewardful', credentials: undefined }, 'credentials'],
  [{ source: 'csv' }, 'credentials'],
  [{ source: 'tolt', credentials: { apiKey: '' } }, 'credentials.apiKey'],
  [{ source: 'tolt', credentials: { apiKey: 'a\nb' } }, 'credentials.apiKey'],
  [{ source: 'firstpromoter' }, 'credentials.accountId'],
])('refuses %j by its field', async (body, field) => {
  const answer = await own.begin(body);
  expect(answer.status).toBe(400);
  expect(answer.body['details']).toMatchObject([{ field }]);
});

it('takes all campaigns again once none is named', async () => {
  fill();
  const made = await own.begin({ source: 'rewardful', only: ['Friends'] });
  const one = `${own.path}/${made.body.id}`;
  expect(codeOf(await own.api.patch(one, { only: ['Nobody'] }))).toEqual([422, 'IMPORT_CHOICE']);
  expect((await own.read(made.body.id)).only).toEqual(['Friends']);
  const all = await own.api.patch(one, { only: null });
  expect([all.status, all.body['only']]).toEqual([200, null]);
  own.rewardful.keys.clear();
  const asked = await own.api.patch(one, { only: ['Friends'] });
  expect(codeOf(asked)).toEqual([422, 'IMPORT_KEY_REJECTED']);
  expect((await own.api.patch(one, { currency: 'eur' })).status).toBe(200);
  await own.api.post(`${one}/cancel`);
  expect(codeOf(await own.api.patch(one, { only: null }))).toEqual([409, 'IMPORT_INVALID_STATE']);
});
