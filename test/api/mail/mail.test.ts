import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { queueMail } from '../../../activities/journal/mail-queue';
import { suppress } from '../../../activities/suppression/suppression';
import type { MailType } from '../../../entities/rules/mail/mail';
import type { Mode } from '../../../entities/rules/values/mode';
import { query, transaction } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import {
  buildMember,
  buildPartner,
  buildWorkspace,
  signIn,
  type BuiltPartner,
} from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { deliverQueued, mailsTo, mailTo, tokenIn } from '../../support/stored/mails';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ EMAIL_WEBHOOK_SECRET: secret });
});
afterAll(() => app.close());

interface Row {
  id: string;
  [field: string]: unknown;
}
interface Page {
  data: Row[];
  total: number;
  limit: number;
}

const logPath = '/api/v1/workspace/notification-log';

async function callerOf(workspaceId: string) {
  const member = await buildMember(app.deps.db.manager, { workspaceId });
  return app.client.as((await signIn(app.deps, member)).accessToken);
}

function queue(partner: BuiltPartner, workspaceId: string, mode: Mode, type: MailType) {
  return transaction(app.deps.db.manager, (tx) =>
    queueMail(tx, {
      type,
      to: { side: 'partner', accountId: partner.id },
      scope: { workspaceId, mode },
      params: { programName: 'Tea <b>& Co</b>', reason: null },
      at: app.deps.clock.now(),
    }),
  );
}

describe('a live mail (notifications.md, Mail)', () => {
  it('goes out as HTML and text, escaped, with a one-click way out', async () => {
    const partner = await buildPartner(app.deps.db.manager, { name: 'Eve <script>' });
    const workspace = await buildWorkspace(app.deps.db.manager);
    const id = await queue(partner, workspace.id, 'live', 'participant.approved');
    expect(await deliverQueued(app.deps)).toEqual(['sent']);

    const mail = await mailTo(partner.email, 'You are a partner of Tea <b>& Co</b>');
    expect(mail.html).toContain('Tea &lt;b&gt;&amp; Co&lt;/b&gt;');
    expect(mail.html).not.toContain('<script>');
    expect(mail.text).toContain('Tea <b>& Co</b>');
    const header = (name: string) => mail.headers.find((one) => one.name === name)?.value;
    expect(header('Message-ID')).toContain(id);
    expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(header('List-Unsubscribe')).toMatch(/^<http.*\/unsubscribe\?token=/);

    const caller = await callerOf(workspace.id);
    const log = await caller.get<Page>(logPath, { mode: 'live' });
    expect(log.body).toMatchObject({ data: [], total: 0 });
    expect((await caller.get(`${logPath}/${id}`, { mode: 'live' })).status).toBe(404);
    expect((await caller.get(`${logPath}/${id}`, { mode: 'test' })).status).toBe(404);
  });

  it('is sent once, however often the workflow tries', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const workspace = await buildWorkspace(app.deps.db.manager);
    await queue(partner, workspace.id, 'live', 'participant.reinstated');
    await deliverQueued(app.deps);
    expect(await deliverQueued(app.deps)).toEqual([]);
    expect(await mailsTo(partner.email)).toHaveLength(1);
  });

  it('of a category that was switched off by the link does not go out; security mails do', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const workspace = await buildWorkspace(app.deps.db.manager);
    await queue(partner, workspace.id, 'live', 'participant.approved');
    await deliverQueued(app.deps);
    const mail = await mailTo(partner.email, 'You are a partner');
    const link = mail.headers.find(({ name }) => name === 'List-Unsubscribe')?.value ?? '';
    const token = tokenIn(link);

    const page = await app.client.get(`/unsubscribe?token=${token}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    await queue(partner, workspace.id, 'live', 'participant.suspended');
    expect(await deliverQueued(app.deps)).toEqual(['sent']);

    const post = await fetch(`${app.url}/unsubscribe?token=${token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(post.status).toBe(200);
    expect((await app.client.post(`/unsubscribe?token=${token}`)).status).toBe(200);
    await queue(partner, workspace.id, 'live', 'participant.reinstated');
    await transaction(app.deps.db.manager, (tx) =>
      queueMail(tx, {
        type: 'security.password_changed',
        to: { side: 'partner', accountId: partner.id },
        at: app.deps.clock.now(),
      }),
    );
    expect(await deliverQueued(app.deps)).toEqual(['dropped', 'sent']);

    for (const bad of ['x', token.replace('programs', 'payouts'), '']) {
      const refused = await app.client.post(`/unsubscribe?token=${bad}`);
      expect([refused.status, refused.body['code']]).toEqual([400, 'EMAIL_TOKEN_INVALID']);
      expect(refused.body['message']).toContain('unsubscribe');
    }
    expect((await app.client.post('/unsubscribe')).status).toBe(400);
  });
});

describe('a mail of test mode', () => {
  it('stays here: the log shows it, with the HTML that would have gone out', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const workspace = await buildWorkspace(app.deps.db.manager);
    const caller = await callerOf(workspace.id);
    const id = await queue(partner, workspace.id, 'test', 'participant.approved');
    expect(await deliverQueued(app.deps)).toEqual(['suppressed']);
    expect(await mailsTo(partner.email)).toHaveLength(0);

    const entry = {
      id,
      status: 'suppressed',
      recipient: partner.email,
      type: 'participant.approved',
      subject: 'You are a partner of Tea <b>& Co</b>',
      createdAt: expect.any(String),
    };
    const list = await caller.get<Page>(logPath, { mode: 'test' });
    expect(list.body).toEqual({ data: [entry], total: 1, page: 1, limit: 20, nextCursor: null });
    const detail = await caller.get<Row>(`${logPath}/${id}`, { mode: 'test' });
    expect(detail.body).toEqual({ ...entry, html: expect.stringContaining('Tea &lt;b&gt;') });

    const total = async (filter: string) =>
      (await caller.get<Page>(`${logPath}?${filter}`, { mode: 'test' })).body.total;
    expect(await total('status=redirected')).toBe(0);
    expect(await total('status=suppressed&type=participant.approved')).toBe(1);
    expect(await total(`recipient=${encodeURIComponent(partner.email.toUpperCase())}`)).toBe(1);
    expect(await total('recipient=some')).toBe(0);
    expect(await total('from=2020-01-01&to=2999-01-01')).toBe(1);
    expect(await total('to=2020-01-01')).toBe(0);
    for (const bad of ['status=sent', 'pageSize=101', 'from=x', 'page=0', 'type=%00']) {
      expect((await caller.get(`${logPath}?${bad}`, { mode: 'test' })).status).toBe(400);
    }

    const stranger = await callerOf((await buildWorkspace(app.deps.db.manager)).id);
    expect((await stranger.get<Page>(logPath, { mode: 'test' })).body.total).toBe(0);
    for (const wanted of [id, 'x']) {
      const refused = await stranger.get(`${logPath}/${wanted}`, { mode: 'test' });
      expect([refused.status, refused.body['code']]).toEqual([404, 'NOTIFICATION_LOG_NOT_FOUND']);
    }
  });

  it('goes to the redirect address of the workspace, and names the intended one', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const redirect = `dev-${partner.id}@example.test`;
    const workspace = await buildWorkspace(app.deps.db.manager, { testEmailRedirect: redirect });
    const caller = await callerOf(workspace.id);
    await queue(partner, workspace.id, 'test', 'participant.approved');
    expect(await deliverQueued(app.deps)).toEqual(['redirected']);
    expect(await mailsTo(partner.email)).toHaveLength(0);
    await mailTo(redirect, 'You are a partner');
    const list = await caller.get<Page>(logPath, { mode: 'test' });
    expect(list.body.data).toEqual([
      expect.objectContaining({ status: 'redirected', recipient: partner.email }),
    ]);
  });

  it('keeps no token of its links', async () => {
    const workspace = await buildWorkspace(app.deps.db.manager);
    const caller = await callerOf(workspace.id);
    await transaction(app.deps.db.manager, (tx) =>
      queueMail(tx, {
        type: 'partner.invited',
        to: { side: 'partner', address: 'invited@example.test' },
        scope: { workspaceId: workspace.id, mode: 'test' },
        params: { inviteId: workspace.id, generation: 1, programName: 'Tea' },
        at: app.deps.clock.now(),
      }),
    );
    await deliverQueued(app.deps);
    const [entry] = (await caller.get<Page>(logPath, { mode: 'test' })).body.data;
    const detail = await caller.get<{ html: string }>(`${logPath}/${entry?.id}`, { mode: 'test' });
    const token = tokenIn(detail.body.html);
    const rows = await query(app.deps.db.manager, 'SELECT * FROM mails');
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('the mail provider', () => {
  const path = '/webhooks/emailprovider';

  async function tell(
    body: unknown,
    options: { id?: string; at?: Date; key?: string; extra?: string; prefix?: string } = {},
  ) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const id = options.id ?? `msg_${randomBytes(6).toString('hex')}`;
    const at = options.at ?? new Date();
    const signature = new Webhook(options.key ?? secret).sign(id, at, text);
    const { prefix = 'webhook' } = options;
    const headers = {
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1000)),
      [`${prefix}-signature`]: `${options.extra ?? ''}${signature}`,
    };
    return app.client.post(path, text, { headers });
  }

  /** Tells these very bytes, with a signature of them. */
  function tellBytes(body: Buffer): Promise<Response> {
    const time = String(Math.floor(Date.now() / 1_000));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const hmac = createHmac('sha256', key).update(`msg_bytes.${time}.`).update(body);
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': 'msg_bytes',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${hmac.digest('base64')}`,
    };
    return fetch(app.url + path, { method: 'POST', headers, body });
  }

  const event = (type: string, to: string[], bounce?: string) => ({
    type,
    created_at: new Date().toISOString(),
    data: { email_id: 'm1', to, ...(bounce ? { bounce: { type: bounce } } : {}) },
  });

  async function counted({ deps }: TestApp): Promise<number[]> {
    const text = await deps.metrics.metrics();
    return ['taken', 'refused', 'unasked'].map((outcome) => {
      const line = new RegExp(`^mail_provider_events_total{outcome="${outcome}".*} (\\d+)$`, 'm');
      return Number(line.exec(text)?.[1]);
    });
  }

  it('is counted: what was taken, and what was refused, from 0 on', async () => {
    expect(await counted(app)).toEqual([0, 0, 0]);
    const body = event('email.bounced', ['nobody@example.test'], 'Permanent');
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    expect((await tell(body, { key: other })).status).toBe(401);
    expect((await app.client.post(path, JSON.stringify(body), {})).status).toBe(401);
    expect((await tell(body)).status).toBe(200);
    expect(await counted(app)).toEqual([1, 2, 0]);
  });

  it('is nobody where there is no secret: what strangers send is no refusal of a provider', async () => {
    const without = await startTestApp({
      NODE_ENV: 'production',
      PUBLIC_BASE_URL: 'https://api.example',
      MAIL_FROM: 'Affiliates <noreply@example.com>',
      REQUIRE_HTTPS: 'false',
      EMAIL_WEBHOOK_SECRET: '',
    });
    try {
      expect((await without.client.post(path, '{}', {})).status).toBe(401);
      expect(await counted(without)).toEqual([0, 0, 1]);
    } finally {
      await without.close();
    }
  });

  it('suppresses what bounced for good or complained, for all mail but the way back in', async () => {
    const partner = await buildPartner(app.deps.db.manager, { verifiedAt: null });
    const { workspaceId } = await buildProgram(app.deps.db.manager);
    expect((await tell(event('email.bounced', [partner.email], 'Transient'))).status).toBe(200);
    await queue(partner, workspaceId, 'live', 'participant.approved');
    expect(await deliverQueued(app.deps)).toEqual(['sent']);

    const bounced = event('email.bounced', [partner.email.toUpperCase()], 'Permanent');
    expect((await tell(bounced, { id: 'msg_1' })).status).toBe(200);
    expect((await tell(bounced, { id: 'msg_1' })).status).toBe(200);
    await queue(partner, workspaceId, 'live', 'participant.suspended');
    await transaction(app.deps.db.manager, (tx) =>
      queueMail(tx, {
        type: 'account.verify_email',
        to: { side: 'partner', accountId: partner.id },
        at: app.deps.clock.now(),
      }),
    );
    expect(await deliverQueued(app.deps)).toEqual(['suppressed', 'sent']);
  });

  it('is not heard beyond 262,144 bytes', async () => {
    const padded = (length: number) => {
      const text = JSON.stringify(event('email.opened', ['a@example.test']));
      return `${text}${' '.repeat(length - text.length)}`;
    };
    expect((await tell(padded(262_144))).status).toBe(200);
    expect((await tell(padded(262_145))).body['code']).toBe('PAYLOAD_TOO_LARGE');
  });

  it('is believed with a good signature only, fresh both ways', async () => {
    const body = event('email.complained', ['someone@example.test']);
    const off = (seconds: number) => new Date(Date.now() + seconds * 1000);
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    expect((await tell(body, { key: other })).body['code']).toBe('INVALID_SIGNATURE');
    expect((await tell(body, { at: off(-310) })).status).toBe(401);
    expect((await tell(body, { at: off(310) })).status).toBe(401);
    expect((await tell(body, { at: off(-290) })).status).toBe(200);
    expect((await tell(body, { at: off(290) })).status).toBe(200);
    expect((await tell(body, { extra: 'v1,AAAA v1a,xyz ' })).status).toBe(200);
    expect((await tell(body, { prefix: 'svix' })).status).toBe(200);
    expect((await tell(body, { prefix: 'svix', key: other })).status).toBe(401);
    expect((await app.client.post(path, body)).status).toBe(401);
  });

  it('gets 400 for a malformed event and 200 for one that does not concern us', async () => {
    for (const bad of ['{', '[]', '"x"', { type: 'email.bounced' }, { type: 5 }]) {
      const answer = await tell(bad);
      expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect((await tellBytes(Buffer.from('{"type":"caf\xe9"}', 'latin1'))).status).toBe(400);
    for (const type of ['email.delivered', 'odd \u0000 \ud800 type', 'x'.repeat(5_000)]) {
      expect((await tell({ type, data: 7 })).status).toBe(200);
    }
  });
});

describe('suppressed addresses', () => {
  it('are shown to and lifted by the workspaces that deal with them', async () => {
    const db = app.deps.db.manager;
    const partner = await buildPartner(db);
    const program = await buildProgram(db);
    await buildParticipant(db, { program, partnerId: partner.id, partnerEmail: partner.email });
    const caller = await callerOf(program.workspaceId);
    const stranger = await callerOf((await buildWorkspace(db)).id);
    const path = '/api/v1/workspace/suppressed-addresses';
    const id = 'msg_supp';
    const at = new Date();
    const text = JSON.stringify({
      type: 'email.bounced',
      created_at: at.toISOString(),
      data: { email_id: 'm', to: [partner.email, 'nobody-we-know@example.test'] },
    });
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
    };
    expect((await app.client.post('/webhooks/emailprovider', text, { headers })).status).toBe(200);

    const list = await caller.get<Page>(path);
    expect(list.body).toMatchObject({
      total: 1,
      data: [{ email: partner.email, reason: 'bounced' }],
    });
    expect((await stranger.get<Page>(path)).body.total).toBe(0);
    const suppression = list.body.data[0]?.id;
    expect((await stranger.delete(`${path}/${suppression}`)).status).toBe(404);
    expect((await caller.delete(`${path}/${suppression}`)).status).toBe(204);
    expect((await caller.delete(`${path}/${suppression}`)).status).toBe(404);
    await queue(partner, program.workspaceId, 'live', 'participant.approved');
    expect(await deliverQueued(app.deps)).toEqual(['sent']);
  });

  it('keep a complaint until its person verifies the address anew', async () => {
    const db = app.deps.db.manager;
    const { vault } = app.deps;
    const partner = await buildPartner(db);
    const { accessToken } = await signIn(app.deps, partner);
    const program = await buildProgram(db);
    await buildParticipant(db, { program, partnerId: partner.id, partnerEmail: partner.email });
    const caller = await callerOf(program.workspaceId);
    const complaint = { addresses: [partner.email], reason: 'complained' } as const;
    const now = app.deps.clock.now();
    await transaction(db, (tx) => suppress({ db: tx, vault }, { now }, complaint));

    const path = '/api/v1/workspace/suppressed-addresses';
    const [suppressed] = (await caller.get<Page>(path)).body.data;
    const refused = await caller.delete(`${path}/${suppressed?.id}`);
    expect([refused.status, refused.body['code']]).toEqual([409, 'SUPPRESSION_COMPLAINED']);
    const own = app.client.as(accessToken);
    expect((await own.post('/api/v1/auth/partner/email/resend-verification')).status).toBe(200);
    expect(await deliverQueued(app.deps)).toEqual(['sent']);
    const { text } = await mailTo(partner.email, 'Confirm');
    const verified = await app.client.post('/api/v1/auth/email/verify', {
      token: tokenIn(text),
    });
    expect(verified.status).toBe(200);
    expect((await caller.get<Page>(path)).body.total).toBe(0);
  });

  it('of test invites, of whom a server adds in test mode and of other workspaces are not shown', async () => {
    const db = app.deps.db.manager;
    const { vault } = app.deps;
    const program = await buildProgram(db, { mode: 'test' });
    const caller = await callerOf(program.workspaceId);
    const email = `${randomBytes(6).toString('hex')}@example.test`;
    const invites = `/api/v1/programs/${program.id}/invites`;
    expect((await caller.post(invites, { email }, { mode: 'test' })).status).toBe(201);
    const added = `${randomBytes(6).toString('hex')}@example.test`;
    const partners = `/api/v1/programs/${program.id}/partners`;
    const partner = { email: added, name: 'Stranger' };
    expect((await caller.post(partners, partner, { mode: 'test' })).status).toBe(201);
    const now = app.deps.clock.now();
    const bounced = { addresses: [email, added], reason: 'bounced' } as const;
    await transaction(db, (tx) => suppress({ db: tx, vault }, { now }, bounced));
    const list = await caller.get<Page>('/api/v1/workspace/suppressed-addresses');
    expect(list.body.total).toBe(0);
  });
});

describe('the pages of mail links', () => {
  it.each(['/verify-email', '/reset-password', '/accept-invite', '/partner-invite'])(
    '%s changes nothing when it is opened, and lets nothing foreign run',
    async (path) => {
      const page = await app.client.get(`${path}?token="><script>alert(1)</script>`);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('alert(1)');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    },
  );
});
