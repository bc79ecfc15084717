import { useApp } from '../../support/app';
import type { ApiResponse, Caller } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';

interface Refusal {
  code: string;
  details: { field: string; message: string }[];
}

const app = useApp();
let admin: Caller;
let rulesPath: string;

beforeAll(async () => {
  const member = await buildMember(app.deps.db.manager);
  const program = await buildProgram(app.deps.db.manager, { workspaceId: member.workspaceId });
  admin = app.client.as((await signIn(app.deps, member)).accessToken);
  rulesPath = `/api/v1/programs/${program.id}/commission-rules`;
});

const fieldsOf = ({ body }: ApiResponse<Refusal>) => body.details.map(({ field }) => field);

/** The best of three tries, for a pause of the machine meets one. */
async function quickest(work: () => Promise<ApiResponse<Refusal>>) {
  let ms = Infinity;
  for (let tries = 0; tries < 3; tries += 1) {
    const started = performance.now();
    await work();
    ms = Math.min(ms, performance.now() - started);
  }
  return ms;
}

/** The most that it may cost, in times of a body with one unknown field; it costs many more where all of it is read. */
const mostTimes = 8;

async function refusedSoon(send: (body: object) => Promise<ApiResponse<Refusal>>, body: object) {
  const answer = await send(body);
  const alone = await quickest(() => send({ unknown: body }));
  const times = (await quickest(() => send(body))) / alone;
  expect(times).toBeLessThan(mostTimes);
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(answer.text.length).toBeLessThan(5_000);
  return answer;
}

describe('a body that is refused', () => {
  it.each([
    [80_000, 'body'],
    [9_000, 'rules'],
  ])('costs no more for a list of %d items', async (length, field) => {
    const rules = Array.from({ length }, () => ({}));
    const answer = await refusedSoon((body) => admin.put(rulesPath, body), { rules });
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it('names the first twenty problems', async () => {
    const rules = Array.from({ length: 20 }, () => ({ name: 7 }));
    const answer = await admin.put<Refusal>(rulesPath, { rules });
    expect(fieldsOf(answer)).toHaveLength(20);
    expect(fieldsOf(answer)[0]).toMatch(/^rules\[0\]\./);
  });

  it.each(['/api/v1/auth/merchant/login', '/api/v1/auth/merchant/logout'])(
    'says of very many unknown fields that they are too many, at %s',
    async (path) => {
      const fields = Object.fromEntries(Array.from({ length: 19_000 }, (_, n) => [`f${n}`, 1]));
      const answer = await refusedSoon((body) => app.client.post(path, body), fields);
      expect(fieldsOf(answer)).toEqual(['body']);
    },
  );

  it('names up to twenty unknown fields, nested ones too', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 1]));
    const twenty = await admin.patch<Refusal>('/api/v1/workspace', { name: 'Acme', ...many(20) });
    expect(fieldsOf(twenty)).toHaveLength(20);
    const more = await admin.patch<Refusal>('/api/v1/workspace', many(21));
    expect(fieldsOf(more)).toEqual(['body']);
    const nested = await admin.put<Refusal>(rulesPath, { rules: [many(11), many(11)] });
    expect(fieldsOf(nested)).toEqual(['body']);
  });
});
