import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { codeOf } from '../../support/api-client';
import {
  buildMember,
  buildPartner,
  signIn,
  testPassword as password,
} from '../../support/build/accounts';
import { buildTwoFactor, codeAt } from '../../support/build/two-factor';

const app = useApp({ TRUSTED_PROXIES: '127.0.0.1,::1' });
// The clock stands in the middle of a step, so that no code gets old while a case runs.
beforeEach(() => app.deps.clock.set(new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000)));

const sides = ['merchant', 'partner'] as const;
type Side = (typeof sides)[number];

const build = (side: Side) =>
  side === 'merchant' ? buildMember(app.deps.db.manager) : buildPartner(app.deps.db.manager);
const codeIn = (secret: string, seconds = 0) =>
  codeAt(secret, new Date(app.deps.clock.now().getTime() + seconds * 1_000));
const wrongCode = (secret: string) => {
  const near = [-60, -30, 0, 30, 60].map((seconds) => codeIn(secret, seconds));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !near.includes(code),
  ) as string;
};

async function secured(side: Side) {
  const account = await build(side);
  const factor = await buildTwoFactor(app.deps, account);
  const { accessToken } = await signIn(app.deps, account);
  return { account, ...factor, by: app.client.as(accessToken) };
}

function login(side: Side, body: object, ip = '192.0.2.1') {
  const headers = { 'X-Forwarded-For': ip };
  return app.client.post(`/api/v1/auth/${side}/login`, body, { headers });
}

async function noticesOf({ id }: { id: string }): Promise<string[]> {
  const rows = await query<{ type: string }>(
    app.deps.db.manager,
    `SELECT type FROM mails WHERE account_id = $1 AND type LIKE 'security.%' ORDER BY created_at, id`,
    [id],
  );
  return rows.map(({ type }) => type);
}

async function auditOf({ id }: { id: string }): Promise<string[]> {
  const rows = await query<{ action: string }>(
    app.deps.db.manager,
    `SELECT action FROM audit_log WHERE target_id = $1 AND action LIKE 'two_factor.%' ORDER BY id`,
    [id],
  );
  return rows.map(({ action }) => action);
}

describe.each(sides)('a second factor, %s', (side) => {
  const path = (end: string) => `/api/v1/auth/${side}/two-factor/${end}`;
  const accountPath =
    side === 'merchant' ? '/api/v1/auth/merchant/account' : '/api/v1/partner/account';

  it('is set up by the password, enabled by a code, and asked for from then on', async () => {
    const account = await build(side);
    const { email } = account;
    const by = app.client.as((await signIn(app.deps, account)).accessToken);
    expect(codeOf(await by.post(path('setup'), { password: 'a wrong one' }))).toEqual([
      400,
      'PASSWORD_INVALID',
    ]);
    const setup = await by.post<{ secret: string; otpauthUrl: string }>(path('setup'), {
      password,
    });
    expect([setup.status, setup.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { secret, otpauthUrl } = setup.body;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauthUrl);
    expect([url.protocol, url.host, url.searchParams.get('secret')]).toEqual([
      'otpauth:',
      'totp',
      secret,
    ]);
    expect((await by.get(accountPath)).body).toMatchObject({ twoFactor: false });
    expect((await login(side, { email, password })).status).toBe(200);

    const wrong = await by.post(path('enable'), { code: wrongCode(secret) });
    expect(codeOf(wrong)).toEqual([401, 'TWO_FACTOR_INVALID']);
    const enabled = await by.post<{ recoveryCodes: string[] }>(path('enable'), {
      code: codeIn(secret),
    });
    expect([enabled.status, new Set(enabled.body.recoveryCodes).size]).toEqual([200, 10]);
    expect((await by.get(accountPath)).body).toMatchObject({ twoFactor: true });

    expect(codeOf(await login(side, { email, password }))).toEqual([401, 'TWO_FACTOR_REQUIRED']);
    for (const code of [undefined, codeIn(secret, 30), wrongCode(secret)]) {
      const guess = await login(side, { email, password: 'a wrong one', ...(code && { code }) });
      expect(codeOf(guess)).toEqual([401, 'INVALID_CREDENTIALS']);
    }
    const refused = await login(side, { email, password, code: wrongCode(secret) });
    expect(codeOf(refused)).toEqual([401, 'TWO_FACTOR_INVALID']);
    const inside = await login(side, { email, password, code: codeIn(secret, 30) });
    expect([inside.status, inside.body['account']]).toEqual([
      200,
      expect.objectContaining({ twoFactor: true }),
    ]);
    expect(await noticesOf(account)).toEqual(['security.two_factor_enabled']);
    expect(await auditOf(account)).toEqual([
      'two_factor.setup_started',
      'two_factor.code_refused',
      'two_factor.enabled',
      'two_factor.code_refused',
    ]);
  });

  it('keeps its secrets: nothing of them is stored in plain or shown again', async () => {
    const { account, secret, recoveryCodes, by } = await secured(side);
    const [row] = await query<{ all: string }>(
      app.deps.db.manager,
      `SELECT row_to_json(t)::text AS all FROM two_factors t WHERE account_id = $1`,
      [account.id],
    );
    const seen = `${row?.all} ${(await by.get(accountPath)).text}`;
    for (const kept of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replace(/-/g, '')),
    ])
      expect(seen).not.toContain(kept);
    const again = await by.post(path('setup'), { password });
    expect(codeOf(again)).toEqual([409, 'TWO_FACTOR_ALREADY_ENABLED']);
    const twice = await by.post(path('enable'), { code: codeIn(secret) });
    expect(codeOf(twice)).toEqual([409, 'TWO_FACTOR_ALREADY_ENABLED']);
  });

  it('takes each code once, of this step and those beside it, in any order', async () => {
    const { account, secret } = await secured(side);
    const { email } = account;
    const statusOf = async (code: string) => (await login(side, { email, password, code })).status;
    // The one of the step before was used to enable it.
    const codes = [30, 0, -30, -60, 60].map((seconds) => codeIn(secret, seconds));
    const statuses: number[] = [];
    for (const code of codes) statuses.push(await statusOf(code));
    expect(statuses).toEqual([200, 200, 401, 401, 401]);
    expect(await statusOf(codeIn(secret))).toBe(401);
    app.deps.clock.advance(60_000);
    expect(await statusOf(codeIn(secret, -30))).toBe(401);
    expect(await statusOf(codeIn(secret))).toBe(200);
  });

  it('lets one of many requests with one code in', async () => {
    // Each with an account of its own: new recovery codes make those before them void.
    for (const kind of ['app', 'recovery']) {
      const { account, secret, recoveryCodes, by } = await secured(side);
      const { email } = account;
      const code = kind === 'app' ? codeIn(secret) : recoveryCodes[0];
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => login(side, { email, password, code })),
        by.post(path('recovery-codes'), { password, code }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
    }
  });

  it('is stood in for by a recovery code, once, and the holder is told', async () => {
    const { account, recoveryCodes } = await secured(side);
    const { email } = account;
    const [code = ''] = recoveryCodes;
    const typed = ` ${code.replace(/-/g, ' ').toUpperCase()} `;
    expect((await login(side, { email, password, code: typed })).status).toBe(200);
    const again = await login(side, { email, password, code });
    expect(codeOf(again)).toEqual([401, 'TWO_FACTOR_INVALID']);
    expect(await noticesOf(account)).toContain('security.recovery_code_used');
    expect(await auditOf(account)).toContain('two_factor.recovery_code_used');
  });

  it('gives new recovery codes, and those before are void', async () => {
    const { account, secret, recoveryCodes, by } = await secured(side);
    const { email } = account;
    const renewed = await by.post<{ recoveryCodes: string[] }>(path('recovery-codes'), {
      password,
      code: codeIn(secret),
    });
    expect([renewed.status, renewed.body.recoveryCodes.length]).toEqual([200, 10]);
    const statusOf = async (code?: string) => (await login(side, { email, password, code })).status;
    expect(await statusOf(recoveryCodes[0])).toBe(401);
    expect(await statusOf(renewed.body.recoveryCodes[0])).toBe(200);
    expect(await noticesOf(account)).toContain('security.recovery_codes_renewed');
  });

  it('is switched off by password and code, and survives a reset of the password', async () => {
    const { account, secret, recoveryCodes, by } = await secured(side);
    const { email } = account;
    await by.post(`/api/v1/auth/${side}/change-password`, {
      currentPassword: password,
      newPassword: `${password} 2`,
    });
    const code = codeIn(secret);
    const wrong = await by.post(path('disable'), { password, code });
    expect(codeOf(wrong)).toEqual([400, 'PASSWORD_INVALID']);
    const body = { password: `${password} 2`, code: recoveryCodes[3] };
    expect((await by.post(path('disable'), body)).status).toBe(204);
    expect((await login(side, { email, password: `${password} 2` })).status).toBe(200);
    expect(codeOf(await by.post(path('disable'), body))).toEqual([409, 'TWO_FACTOR_NOT_SET_UP']);
    expect(codeOf(await by.post(path('enable'), { code }))).toEqual([409, 'TWO_FACTOR_NOT_SET_UP']);
    expect(await noticesOf(account)).toContain('security.two_factor_disabled');
  });
});

describe('guesses of codes', () => {
  it('are ten in 15 minutes, and lock nobody out of an address they know', async () => {
    const { account, secret } = await secured('partner');
    const { email } = account;
    const code = wrongCode(secret);
    const stranger = '203.0.113.9';
    for (let guess = 0; guess < 10; guess += 1) {
      const answer = await login('partner', { email, password, code }, stranger);
      expect(codeOf(answer)).toEqual([401, 'TWO_FACTOR_INVALID']);
    }
    const right = await login('partner', { email, password, code: codeIn(secret) }, stranger);
    expect(codeOf(right)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await login('partner', { email, password, code: codeIn(secret) }, '198.51.100.7');
    expect(other.status).toBe(429);
    // The account signed in from here, and this one code is not used up by those refused.
    const known = await login('partner', { email, password, code: codeIn(secret) });
    expect(known.status).toBe(200);
  });

  it('get no further in a burst, through whatever endpoint they come', async () => {
    const { account, secret, by } = await secured('merchant');
    const code = wrongCode(secret);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_item, index) =>
        index % 2 === 0
          ? login('merchant', { email: account.email, password, code })
          : by.post(
              '/api/v1/auth/merchant/two-factor/disable',
              { password, code },
              { headers: { 'X-Forwarded-For': '192.0.2.1' } },
            ),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(14);
    app.deps.clock.advance(900_000);
    const after = await login('merchant', { email: account.email, password, code: codeIn(secret) });
    expect(after.status).toBe(200);
  });
});
