import { queueMail } from '../../../activities/journal/mail-queue';
import { query, transaction } from '../../../entities/database/sql';
import type { Role } from '../../../entities/rules/values/roles';
import type { Mode } from '../../../entities/rules/values/mode';
import { useApp } from '../../support/app';
import { buildMember, buildPartner, buildWorkspace } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { deliverQueued, mailsTo, tokenIn } from '../../support/stored/mails';

const hour = 3_600_000;
const logPath = '/api/v1/workspace/notification-log';

const app = useApp({ RATE_LIMIT_MAIL: '3', INVITES_PER_DAY: '5' });
afterEach(() => app.deps.clock.set(undefined));

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `victim-${process.pid}-${addresses}@example.test`;
}

interface Shop {
  name?: string;
  mode?: Mode;
  role?: Role;
  testEmailRedirect?: string;
  programName?: string;
}

async function openShop({ mode = 'live', role = 'owner', ...names }: Shop = {}) {
  const db = app.deps.db.manager;
  const workspace = await buildWorkspace(db, names);
  const member = await buildMember(db, { workspaceId: workspace.id, role });
  const programName = names.programName ?? 'Tea';
  const program = await buildProgram(db, { workspaceId: workspace.id, mode, name: programName });
  const api = await callerOf(app, member, mode);
  return {
    api,
    workspaceId: workspace.id,
    add: (email: string) =>
      api.post(`/api/v1/programs/${program.id}/partners`, { email, name: 'Somebody' }),
    invite: (email: string) => api.post(`/api/v1/programs/${program.id}/invites`, { email }),
    inviteMember: (email: string) =>
      api.post('/api/v1/workspace/members', { email, role: 'viewer' }),
  };
}

interface Entry {
  id: string;
  status: string;
}
interface Page {
  data: Entry[];
}

describe('mails that a stranger can cause (notifications.md, Limits of mail)', () => {
  it('are bounded for each address over all workspaces, and nothing shows it', async () => {
    const victim = newAddress();
    const [one, two] = [await openShop(), await openShop()];
    const answers = [];
    for (const shop of [one, two, one, two, one]) answers.push((await shop.invite(victim)).status);
    expect(answers).toEqual([201, 201, 201, 201, 201]);
    expect(await deliverQueued(app.deps)).toEqual([
      'sent',
      'sent',
      'sent',
      'throttled',
      'throttled',
    ]);
    expect(await mailsTo(victim)).toHaveLength(3);

    // Who is added by a server is told at most as often, and is a partner all the same.
    const added = [];
    for (const shop of [one, two, await openShop(), await openShop()])
      added.push((await shop.add(victim)).status);
    expect(added).toEqual([201, 201, 201, 201]);
    expect(await deliverQueued(app.deps)).toEqual(['sent', 'sent', 'sent', 'throttled']);

    // There is room for another type, another address, or an hour later.
    await one.inviteMember(victim);
    await two.invite(newAddress());
    expect((await deliverQueued(app.deps)).filter((status) => status !== 'sent')).toEqual([]);
    app.deps.clock.advance(hour);
    await (await openShop()).invite(victim);
    expect(await deliverQueued(app.deps)).toEqual(['sent']);
  });

  it('keep no address when they were not sent', async () => {
    const victim = newAddress();
    const shop = await openShop();
    for (let count = 0; count < 4; count += 1) await shop.invite(victim);
    await deliverQueued(app.deps);
    const kept = await query(
      app.deps.db.manager,
      `SELECT 1 FROM mails WHERE status = 'throttled' AND recipient = $1`,
      [victim],
    );
    expect(kept).toEqual([]);
    const counters = await query(app.deps.db.manager, 'SELECT counter FROM mail_counts');
    expect(JSON.stringify(counters)).not.toContain('victim');
  });

  it('are bounded when many are planned at once', async () => {
    const victim = newAddress();
    const shops = [await openShop(), await openShop(), await openShop()];
    for (const shop of [...shops, ...shops, ...shops]) await shop.invite(victim);
    const rounds = Array.from({ length: 4 }, () => deliverQueued(app.deps));
    await Promise.all(rounds);
    // Four workers race for each mail: one may be handed over twice, under one Message-ID.
    const ids = (await mailsTo(victim)).map(
      ({ headers }) => headers.find(({ name }) => name === 'Message-ID')?.value,
    );
    expect(new Set(ids).size).toBe(3);
  });

  it.each(['merchant', 'partner'] as const)('%s: forgotten passwords', async (side) => {
    const { email } =
      side === 'merchant'
        ? await buildMember(app.deps.db.manager)
        : await buildPartner(app.deps.db.manager);
    for (let count = 0; count < 5; count += 1) {
      const answer = await app.client.post(`/api/v1/auth/${side}/forgot-password`, { email });
      expect([answer.status, answer.body]).toEqual([202, {}]);
    }
    await deliverQueued(app.deps);
    expect(await mailsTo(email)).toHaveLength(3);
  });

  it('take the mails of an account whose address was never verified along', async () => {
    const partner = await buildPartner(app.deps.db.manager, { verifiedAt: null });
    for (let count = 0; count < 11; count += 1) {
      await transaction(app.deps.db.manager, (tx) =>
        queueMail(tx, {
          type: 'security.password_changed',
          to: { side: 'partner', accountId: partner.id },
          at: app.deps.clock.now(),
        }),
      );
    }
    await deliverQueued(app.deps);
    expect(await mailsTo(partner.email)).toHaveLength(9);
  });
});

describe('invites of a workspace', () => {
  it('are few on its first day, and more each day', async () => {
    const shop = await openShop();
    const invite = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const write = [shop.inviteMember, shop.invite, shop.add][index % 3] ?? shop.add;
        expect((await write(newAddress())).status).toBe(201);
      }
      return (await deliverQueued(app.deps)).filter((status) => status === 'throttled').length;
    };
    expect(await invite(5)).toBe(0);
    expect(await invite(3)).toBe(3);
    app.deps.clock.advance(24 * hour);
    const after = await callerOfNow(shop.workspaceId);
    const answers = [];
    for (let index = 0; index < 11; index += 1) {
      answers.push(
        (await after.post('/api/v1/workspace/members', { email: newAddress(), role: 'viewer' }))
          .status,
      );
    }
    expect(new Set(answers)).toEqual(new Set([201]));
    const outcomes = await deliverQueued(app.deps);
    expect(outcomes.filter((status) => status === 'throttled')).toHaveLength(1);
  });
});

/** The clock has moved: earlier access tokens are past their time. */
async function callerOfNow(workspaceId: string) {
  const member = await buildMember(app.deps.db.manager, { workspaceId });
  return callerOf(app, member, 'live');
}

describe('test mode', () => {
  it('says in the log what it throttled, and uses nothing up of live mode', async () => {
    const victim = newAddress();
    const shop = await openShop({ mode: 'test' });
    for (let count = 0; count < 4; count += 1) await shop.invite(victim);
    await deliverQueued(app.deps);
    const log = await shop.api.get<Page>(`${logPath}?recipient=${victim}`);
    const statuses = log.body.data.map(({ status }) => status).sort();
    expect(statuses).toEqual(['suppressed', 'suppressed', 'suppressed', 'throttled']);
    const throttled = await shop.api.get<Page>(`${logPath}?status=throttled`);
    expect(throttled.body.data).toEqual([expect.objectContaining({ status: 'throttled' })]);
    const [entry] = throttled.body.data;
    expect((await shop.api.get(`${logPath}/${entry?.id}`)).status).toBe(200);

    await (await openShop()).invite(victim);
    expect(await deliverQueued(app.deps)).toEqual(['sent']);
  });

  it('redirects a bounded number to the address that a workspace names', async () => {
    const victim = newAddress();
    const shops = [
      await openShop({ mode: 'test', testEmailRedirect: victim }),
      await openShop({ mode: 'test', testEmailRedirect: victim }),
    ];
    for (let round = 0; round < 3; round += 1) {
      for (const shop of shops) await shop.invite(newAddress());
    }
    const outcomes = await deliverQueued(app.deps);
    expect(outcomes.filter((status) => status === 'redirected')).toHaveLength(3);
    expect(outcomes.filter((status) => status === 'throttled')).toHaveLength(3);
    expect(await mailsTo(victim)).toHaveLength(3);
  });

  it('shows no unsubscribe link that works, in the log or in a redirected copy', async () => {
    const redirect = newAddress();
    const partner = await buildPartner(app.deps.db.manager);
    const shop = await openShop({ mode: 'test', testEmailRedirect: redirect });
    const id = await transaction(app.deps.db.manager, (tx) =>
      queueMail(tx, {
        type: 'participant.approved',
        to: { side: 'partner', accountId: partner.id },
        scope: { workspaceId: shop.workspaceId, mode: 'test' },
        params: { programName: 'Tea' },
        at: app.deps.clock.now(),
      }),
    );
    expect(await deliverQueued(app.deps)).toEqual(['redirected']);
    const [copy] = await mailsTo(redirect);
    expect(copy?.headers.map(({ name }) => name)).not.toContain('List-Unsubscribe');
    const detail = await shop.api.get<{ html: string }>(`${logPath}/${id}`);
    expect(detail.headers.get('cache-control')).toBe('no-store');
    for (const body of [copy?.html ?? '', copy?.text ?? '', detail.body.html]) {
      const refused = await app.client.post(`/unsubscribe?token=${tokenIn(body)}`);
      expect([refused.status, refused.body['code']]).toEqual([400, 'EMAIL_TOKEN_INVALID']);
      expect(body).not.toContain(partner.id);
    }
  });

  it('shows the link of an invite to those who may invite, not to viewers', async () => {
    const shop = await openShop({ mode: 'test', role: 'member' });
    const invited = await shop.invite(newAddress());
    await deliverQueued(app.deps);
    const [entry] = (await shop.api.get<Page>(logPath)).body.data;
    const token = new URL(String(invited.body['inviteUrl'])).searchParams.get('token');
    const read = async (role: Role) => {
      const reader = await buildMember(app.deps.db.manager, {
        workspaceId: shop.workspaceId,
        role,
      });
      const api = await callerOf(app, reader, 'test');
      return (await api.get<{ html: string }>(`${logPath}/${entry?.id}`)).body.html;
    };
    expect(tokenIn(await read('member'))).toBe(token);
    expect(await read('viewer')).not.toContain(token);
  });
});

describe("a sender's names", () => {
  it('stand in an invite as plain text on one line', async () => {
    const victim = newAddress();
    const shop = await openShop({
      name: 'Unlock at https://evil.example now',
      programName: 'www.evil.example/x a@evil.example',
    });
    await shop.invite(victim);
    await shop.inviteMember(victim);
    await deliverQueued(app.deps);
    const mails = await mailsTo(victim);
    expect(mails).toHaveLength(2);
    for (const { subject, html, text } of mails) {
      expect(`${subject}${html}${text}`).not.toMatch(/evil\.example|@evil/);
    }
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Become a partner of evil example/x a evil example',
      'Join Unlock at https evil example now',
    ]);
  });

  it.each(['a\nb', 'a\u0000b', 'a\u007fb', 'a\u0085b', '\tq\ta\tb'])(
    'are refused with a control character: %j',
    async (name) => {
      const shop = await openShop();
      const calls = [
        shop.api.patch('/api/v1/workspace', { name }),
        shop.api.patch('/api/v1/auth/merchant/account', { name }),
        app.client.post('/api/v1/auth/partner/register', {
          email: newAddress(),
          password: 'correct horse battery',
          name,
        }),
      ];
      for (const answer of await Promise.all(calls)) {
        expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
      }
    },
  );

  it('may have white space at their ends, which is cut off', async () => {
    const shop = await openShop();
    const answer = await shop.api.patch('/api/v1/workspace', { name: '\u2003 Acme Shop\u00a0 ' });
    expect([answer.status, answer.body['name']]).toEqual([200, 'Acme Shop']);
  });
});
