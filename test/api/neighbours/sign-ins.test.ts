import { startTestApp, type TestApp } from '../../support/app';
import type { ApiResponse, Caller } from '../../support/api-client';
import { buildMember, signIn, testPassword } from '../../support/build/accounts';
import { eventually } from '../../support/eventually';

/** Hashes wait until they are let go: the slowest machine there is. */
const mockHashing = { asked: 0, letGo: (): void => undefined, until: Promise.resolve() };

jest.mock('@node-rs/argon2', () => ({
  async hash() {
    mockHashing.asked += 1;
    await mockHashing.until;
    return 'a hash';
  },
  async verify() {
    mockHashing.asked += 1;
    await mockHashing.until;
    return true;
  },
}));

/** One is hashed on two cores; of the rest these may wait. */
const waiting = 50;

let app: TestApp;
let reader: Caller;

beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1', PASSWORD_HASHES_WAITING: String(waiting) };
  app = await startTestApp(env);
});
afterAll(() => app.close());

beforeEach(async () => {
  reader = await callerOf();
  mockHashing.asked = 0;
  mockHashing.until = new Promise((resolve) => (mockHashing.letGo = resolve));
});
afterEach(() => mockHashing.letGo());

async function callerOf(): Promise<Caller> {
  const member = await buildMember(app.deps.db.manager);
  return app.client.as((await signIn(app.deps, member)).accessToken);
}

/** Some reads in a row: the first may be there before all that waits. */
async function read(): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    statuses.push((await reader.get('/api/v1/workspace/members')).status);
  }
  return statuses;
}
const allRead = Array<number>(10).fill(200);

const paths = ['merchant/login', 'partner/login', 'merchant/register', 'partner/register'];

function bodyOf(path: string, network: number): object {
  const known = { email: `${network}@example.test`, password: testPassword };
  if (path.endsWith('login')) return known;
  return { ...known, name: 'New', ...(path.startsWith('merchant') && { workspaceName: 'New' }) };
}

/** Sign-ins, each from a network of its own. */
function flood(count: number): Promise<ApiResponse>[] {
  return Array.from({ length: count }, (_one, network) => {
    const path = paths[network % paths.length] ?? '';
    const headers = {
      'X-Forwarded-For': `2001:db8:${network.toString(16)}::1`,
      // A call without a credential means nothing.
      'Idempotency-Key': `key ${network}`,
    };
    return app.client.post(`/api/v1/auth/${path}`, bodyOf(path, network), { headers });
  });
}

const hashed = () => eventually(() => Promise.resolve(mockHashing.asked > 0 || undefined));

describe('sign-ins that wait for their hash', () => {
  it('keep no place at the database from others, and beyond a bound are refused at once', async () => {
    const refused: ApiResponse[] = [];
    const all = flood(waiting + 10).map(async (answer) => {
      const given = await answer;
      if (given.status === 503) refused.push(given);
      return given.status;
    });
    await hashed();
    // The hashes wait for these answers.
    expect(await read()).toEqual(allRead);
    await eventually(() => Promise.resolve(refused.length > 0 || undefined));

    mockHashing.letGo();
    const statuses = await Promise.all(all);
    expect(new Set(statuses)).toEqual(new Set([201, 401, 503]));
    expect(refused.length).toBeLessThan(waiting);
    for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBe(2);
  });

  it('keep none while a password is changed either, with an Idempotency-Key or without', async () => {
    const changes = Array.from({ length: 20 }, async (_one, turn) => {
      const caller = await callerOf();
      const path = turn % 2 === 0 ? 'change-password' : 'change-email';
      const body =
        turn % 2 === 0
          ? { currentPassword: testPassword, newPassword: 'quite another password' }
          : { password: testPassword, email: `new-${turn}@example.test` };
      const headers: Record<string, string> = turn % 4 < 2 ? { 'Idempotency-Key': 'change' } : {};
      const answer = await caller.post(`/api/v1/auth/merchant/${path}`, body, { headers });
      return answer.status;
    });
    await hashed();
    expect(await read()).toEqual(allRead);

    mockHashing.letGo();
    const statuses = await Promise.all(changes);
    expect(statuses.filter((status) => status === 204)).toHaveLength(10);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  });
});
