import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}
type Fix = (request: Request) => void;

const json = { amountCents: 500, reason: 'a bonus', externalId: 'b-1' };
const maxBytes = 1_048_576;

const app = useApp({ REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.1' });
/** What stops a request, and what is mended after it, in the order in which the checks stand. */
let steps: [code: string | number, fix: Fix][];

beforeAll(async () => {
  const db = app.deps.db.manager;
  const admin = await buildMember(db);
  const { workspaceId } = admin;
  const viewer = await buildMember(db, { workspaceId, role: 'viewer' });
  const participant = await buildParticipant(db, { workspaceId, mode: 'test' });
  const bearerOf = async (member: typeof admin) =>
    `Bearer ${(await signIn(app.deps, member)).accessToken}`;
  const [byViewer, byAdmin] = [await bearerOf(viewer), await bearerOf(admin)];
  const path = (id: string) =>
    `/api/v1/programs/${participant.programId}/partners/${id}/adjustments`;
  steps = [
    ['NOT_FOUND', (request) => (request.path = path(newId()))],
    ['METHOD_NOT_ALLOWED', (request) => (request.method = 'POST')],
    ['HTTPS_REQUIRED', ({ headers }) => (headers['X-Forwarded-Proto'] = 'https')],
    ['UNAUTHORIZED', ({ headers }) => (headers['Authorization'] = byViewer)],
    ['VALIDATION_ERROR', ({ headers }) => (headers['X-Mode'] = 'test')],
    ['FORBIDDEN', ({ headers }) => (headers['Authorization'] = byAdmin)],
    ['UNSUPPORTED_MEDIA_TYPE', ({ headers }) => (headers['Content-Type'] = 'application/json')],
    ['PAYLOAD_TOO_LARGE', (request) => (request.body = '{')],
    ['VALIDATION_ERROR', (request) => (request.body = '{}')],
    ['VALIDATION_ERROR', (request) => (request.body = JSON.stringify(json))],
    ['VALIDATION_ERROR', ({ headers }) => (headers['Idempotency-Key'] = newId())],
    ['PARTICIPANT_NOT_FOUND', (request) => (request.path = path(participant.id))],
    [201, () => undefined],
  ];
});

it('the first check that fails is the answer (requests.md, Order of checks)', async () => {
  const request: Request = {
    method: 'PUT',
    path: '/api/v1/nowhere',
    headers: {
      'X-Mode': 'neither',
      'Content-Type': 'text/plain',
      'Idempotency-Key': 'k'.repeat(300),
    },
    body: 'x'.repeat(2 * maxBytes),
  };
  const answers: unknown[] = [];
  for (const [, fix] of steps) {
    answers.push(await answerTo(request));
    fix(request);
  }
  expect(answers).toEqual(steps.map(([code]) => code));
});

async function answerTo({ path, ...request }: Request): Promise<unknown> {
  const response = await fetch(app.url + path, request);
  const { code } = (await response.json()) as { code?: string };
  return code ?? response.status;
}
