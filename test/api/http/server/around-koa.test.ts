import { newId } from '../../../../entities/ids';
import { useApp } from '../../../support/app';
import { buildApiKey } from '../../../support/build/accounts';
import { buildLink, buildParticipant, buildProgram } from '../../../support/build/programs';

/**
 * The busiest requests go around Koa. With a query they do not: what the two ways answer to the same
 * request is compared, refusal by refusal, in the order of the checks.
 */
const app = useApp({ TRUSTED_PROXIES: '127.0.0.1', REQUIRE_HTTPS: 'true' });
let ref: string;
const keys = { public: '', secret: '', revoked: 'sk_test_00000000000000000000000000000000' };

beforeAll(async () => {
  const db = app.deps.db.manager;
  const program = await buildProgram(db, { mode: 'test' });
  const { workspaceId } = program;
  ref = (await buildLink(db, await buildParticipant(db, { program }))).token;
  for (const kind of ['public', 'secret'] as const) {
    keys[kind] = (await buildApiKey(db, { workspaceId, mode: 'test', kind })).key;
  }
});

interface Request {
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const https = { 'X-Forwarded-Proto': 'https' };
const json: Record<string, string> = {
  ...https,
  'Content-Type': 'application/json',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const withKey = (key: string, headers = json) => ({ ...headers, Authorization: `Bearer ${key}` });
const click = () => JSON.stringify({ ref });
const sale = () =>
  JSON.stringify({ external_transaction_id: newId(), event_type: 'buy', promo_code: 'NOBODY' });

const requests: Record<string, (path: string) => Request> = {
  'over plain http': (path) => ({
    headers: withKey(path === '/v1/clicks' ? keys.public : keys.secret, {
      'Content-Type': 'application/json',
    }),
    body: '{}',
  }),
  'without a credential': () => ({ headers: json, body: '{}' }),
  'with a credential of no shape': () => ({ headers: withKey('nonsense'), body: '{}' }),
  'with a key that is not there': () => ({ headers: withKey(keys.revoked), body: '{}' }),
  'with the other kind of key': (path) => ({
    headers: withKey(path === '/v1/clicks' ? keys.secret : keys.public),
    body: '{}',
  }),
  'of another content type': (path) => ({
    headers: withKey(good(path), { ...json, 'Content-Type': 'text/html' }),
    body: '{}',
  }),
  'with too large a body': (path) => ({
    headers: withKey(good(path)),
    body: `{"x":"${'x'.repeat(262_200)}"}`,
  }),
  'in an encoding that nobody knows': (path) => ({
    headers: { ...withKey(good(path)), 'Content-Encoding': 'zip' },
    body: '{}',
  }),
  'that is no JSON': (path) => ({ headers: withKey(good(path)), body: '{"ref":' }),
  'that is no object': (path) => ({ headers: withKey(good(path)), body: '[]' }),
  'that is no UTF-8': (path) => ({
    headers: withKey(good(path)),
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  }),
  'without its fields': (path) => ({ headers: withKey(good(path)), body: '{}' }),
  'with a bad Idempotency-Key': (path) => ({
    headers: { ...withKey(good(path)), 'Idempotency-Key': 'x'.repeat(256) },
    body: path === '/v1/clicks' ? click() : sale(),
  }),
  'with a foreign origin': (path) => ({
    headers: { ...withKey(good(path)), Origin: 'https://elsewhere.example' },
    body: '{}',
  }),
  'with a request id of its own': (path) => ({
    headers: { ...withKey(good(path)), 'X-Request-Id': 'mine-1' },
    body: '{}',
  }),
  'that is good': (path) => ({
    headers: withKey(good(path)),
    body: path === '/v1/clicks' ? click() : sale(),
  }),
};

const good = (path: string): string => (path === '/v1/clicks' ? keys.public : keys.secret);
const paths = ['/v1/clicks', '/api/v1/conversions'];

async function answerOf(url: string, { headers = {}, body }: Request) {
  const init = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(app.url + url, init as RequestInit);
  const text = await response.text();
  const { code } = JSON.parse(text) as { code?: string };
  // What differs from request to request, and what a connection is kept by.
  const own = ['x-request-id', 'date', 'content-length', 'location', 'ratelimit-reset'];
  const shown = [...response.headers].filter(([name]) => !own.includes(name));
  const id = response.headers.get('x-request-id');
  return { status: response.status, code, id: id === 'mine-1' ? id : typeof id, headers: shown };
}

describe.each(paths)('a request to %s that goes around Koa', (path) => {
  it.each(Object.keys(requests))('%s is answered as on the way through it', async (name) => {
    const build = requests[name] as (path: string) => Request;
    const around = await answerOf(path, build(path));
    const through = await answerOf(`${path}?through=koa`, build(path));
    if (name !== 'that is good') expect(around).toEqual(through);
    // A visitor's second click is another answer; its headers are the same.
    else expect(around.headers).toEqual(through.headers);
    const refused = !['that is good'].includes(name);
    expect(around.status >= 400).toBe(refused);
    if (!refused) expect(around.status).toBe(201);
  });
});
