import { createLimiter } from '../../../api/http/checks/limits';
import { createRateLimiter, type LimitState } from '../../../runtime/connections/rate-limiter';
import { useApp } from '../../support/app';

const app = useApp({ RATE_LIMIT_GENERAL: '6', RATE_LIMIT_AUTH: '2' });

describe('limits while Redis answers late', () => {
  it('go on from the last count, so that one late answer frees no one', async () => {
    const { redis, config } = app.deps;
    let isLate = false;
    const rates = createRateLimiter({
      ...redis,
      attempt: async (command) => {
        const result = await redis.attempt(command);
        return isLate ? undefined : result;
      },
    });
    const limiter = createLimiter(config.limits, rates);
    const subject = `account:${app.deps.clock.now().getTime()}`;
    const use = (): Promise<LimitState | undefined> => limiter.consume('general', subject);

    const states = [await use(), await use(), await use()];
    isLate = true;
    states.push(await use(), await use());
    const looked = await limiter.peek('general', subject);
    isLate = false;
    states.push(await use(), await use());

    expect(states.map((state) => state?.remaining)).toEqual([5, 4, 3, 2, 1, 0, 0]);
    expect(states.map((state) => state?.exceeded)).toEqual([
      ...Array<boolean>(6).fill(false),
      true,
    ]);
    expect(looked).toMatchObject({ remaining: 1, exceeded: false });
  });
});

describe('a session that is renewed', () => {
  it('counts as a sign-in by its body, and by a cookie as a page that is loaded again', async () => {
    const refresh = (headers: Record<string, string>, body: object) =>
      app.client.post('/api/v1/auth/merchant/refresh', body, { headers });
    const statuses = async (times: number, ...request: Parameters<typeof refresh>) => {
      const seen: number[] = [];
      for (let n = 0; n < times; n += 1) seen.push((await refresh(...request)).status);
      return seen;
    };
    const page = { 'X-Session': 'cookie' };
    expect(await statuses(7, page, {})).toEqual([...Array<number>(6).fill(401), 429]);
    expect(await statuses(3, {}, { refreshToken: 'none' })).toEqual([401, 401, 429]);
    // Other ways to sign in count together, whatever header they carry.
    const login = { email: 'nobody@example.test', password: 'a long password' };
    const after = await app.client.post('/api/v1/auth/merchant/login', login, { headers: page });
    expect(after.status).toBe(429);
  });
});
