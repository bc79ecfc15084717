import { once } from 'node:events';
import { connect } from 'node:net';
import { visitorUserAgent } from '../../support/browser';
import { buildApiKey } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';
import { useApp } from '../../support/app';

const app = useApp();
let key: string;

beforeAll(async () => {
  const built = await buildApiKey(app.deps.db.manager, { kind: 'public', mode: 'test' });
  await buildParticipant(app.deps.db.manager, {
    workspaceId: built.workspaceId,
    mode: 'test',
    referralCode: 'acme',
  });
  ({ key } = built);
});

const click = (fields: object, headers = ''): string => {
  const body = JSON.stringify({ ref: 'acme', ...fields });
  const head = `POST /v1/clicks HTTP/1.1\r\nHost: x\r\nUser-Agent: ${visitorUserAgent}\r\n`;
  const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${head}${about}${headers}\r\n${body}`;
};

/** Sends bytes in one segment and gives head and body of each answer. */
async function exchange(bytes: string): Promise<[head: string, body: Record<string, unknown>][]> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return text.split(/(?=HTTP\/1\.1 )/).map((answer) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return [head, JSON.parse(body) as Record<string, unknown>];
  });
}

const last = 'Connection: close\r\n';

it('clicks in one segment are each answered whole, in order', async () => {
  const answers = await exchange(click({ key }) + click({ key }, last));
  expect(answers.map(([head]) => head.split(' ')[1])).toEqual(['201', '201']);
  for (const [, body] of answers) expect(body).toMatchObject({ recorded: true });
});

it('a refusal waits for the slow click before it', async () => {
  const answers = await exchange(click({ key }) + click({}, last));
  expect(answers.map(([head]) => head.split(' ')[1])).toEqual(['201', '401']);
  expect(answers[1]?.[1]).toMatchObject({ statusCode: 401 });
});

it('any site may read the answer, and an answer without an origin may be cached for all', async () => {
  const [[head]] = (await exchange(click({ key }, last))) as [[string, unknown]];
  expect(head.toLowerCase()).toContain('access-control-allow-origin: *');
  expect(head.toLowerCase()).toContain('access-control-expose-headers: x-request-id,');
  expect(head.toLowerCase()).toContain('vary: origin');
});
