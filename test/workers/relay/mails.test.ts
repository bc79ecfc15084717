import type { Client } from '@temporalio/client';
import { queueMail } from '../../../activities/journal/mail-queue';
import type { Work } from '../../../activities/journal/outbox-claims';
import { createMailServer } from '../../../activities/mail/server';
import { execute, query, transaction } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import { noWorkspace } from '../../../activities/journal/outbox';
import { relayHandlers } from '../../../workers/relay/handlers';
import { useDeps, type TestDeps } from '../../support/app';
import { buildPartner, buildWorkspace, type BuiltPartner } from '../../support/build/accounts';
import {
  refusal,
  startMailServer,
  type MailServerOptions,
  type TestMailServer,
} from '../../support/mail-server';
import { relayOnce } from '../../support/workers/relay-once';

const deps = useDeps();
const nobody = 'smtp://127.0.0.1:1';
let closing: (() => void | Promise<void>)[] = [];
beforeEach(() => execute(deps.db.manager, 'DELETE FROM outbox'));
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function serve(options?: MailServerOptions): Promise<TestMailServer> {
  const server = await startMailServer(options);
  closing.push(() => server.stop());
  return server;
}

/** The relay of mails to a server, and the workflows that it has asked for. */
function relayTo(smtpUrl: string, temporal?: () => never) {
  const started: string[] = [];
  const start = (_type: string, { workflowId }: { workflowId: string }): Promise<void> => {
    temporal?.();
    started.push(workflowId);
    return Promise.resolve();
  };
  const client = { workflow: { start } } as unknown as Client;
  const own: TestDeps = {
    ...deps,
    config: { ...deps.config, smtpUrl },
    temporal: { ...deps.temporal, within: (_ms, call) => call(client) },
  };
  const server = createMailServer(own);
  closing.unshift(() => server.mailer.close());
  const handlers = relayHandlers(own, server);
  return {
    started,
    breaker: server.breaker,
    once: () => relayOnce(own, 'mail', handlers.mail),
    handle: (work: Work[], report = noReport) => handlers.mail.handle(work, report),
  };
}

const noReport = { refused: fail, defer: fail, away: fail };

async function queueReset(scope?: Scope): Promise<{ id: string; partner: BuiltPartner }> {
  const partner = await buildPartner(deps.db.manager, { verifiedAt: null });
  const type = scope ? ('participant.approved' as const) : ('account.verify_email' as const);
  const to = { side: 'partner', accountId: partner.id } as const;
  const mail = { type, to, at: deps.clock.now(), ...(scope ? { scope } : {}) };
  return { partner, id: await transaction(deps.db, (tx) => queueMail(tx, mail)) };
}

async function statusOf(id: string): Promise<string | undefined> {
  const rows = await query<{ status: string }>(
    deps.db.manager,
    'SELECT status FROM mails WHERE id = $1',
    [id],
  );
  return rows[0]?.status;
}

const inOutbox = () =>
  query<{ attempts: number; deferrals: number; leased: boolean }>(
    deps.db.manager,
    'SELECT attempts, deferrals, lease_token IS NOT NULL AS leased FROM outbox ORDER BY id',
  );

function workOf(ref: string, more: Partial<Work> = {}): Work {
  return {
    id: 1,
    ref,
    workspaceId: noWorkspace,
    payload: {},
    attempts: 1,
    deferrals: 0,
    waitedSeconds: 0,
    requestId: null,
    ...more,
  };
}

describe('the first attempt of a mail', () => {
  it('needs no workflow, and shares its connections with others', async () => {
    const server = await serve();
    const { once, started } = relayTo(server.url);
    const mails = await Promise.all(Array.from({ length: 30 }, () => queueReset()));
    expect(await once()).toBe(30);
    expect(started).toEqual([]);
    for (const { id } of mails) expect(await statusOf(id)).toBe('sent');
    expect(server.attempts()).toBe(30);
    expect(server.connections()).toBeLessThanOrEqual(deps.config.smtpConnections / 2);
    expect(await inOutbox()).toEqual([]);
  });

  it('that fails leaves the others to a workflow, and the outbox', async () => {
    const server = await serve({ onRecipient: () => refusal(451, '4.7.1') });
    const { once, started } = relayTo(server.url);
    const { id } = await queueReset();
    expect(await once()).toBe(1);
    expect(started).toEqual([`mail/${id}`]);
    expect(await statusOf(id)).toBe('queued');
    expect(await inOutbox()).toEqual([]);
  });

  it('is not repeated while Temporal cannot take what failed', async () => {
    const server = await serve({ onRecipient: () => refusal(451, '4.7.1') });
    const away = (): never => {
      throw Object.assign(new Error('failed to connect'), { code: 14, details: '' });
    };
    const { once } = relayTo(server.url, away);
    await queueReset();
    expect(await once()).toBe(0);
    await execute(deps.db.manager, 'UPDATE outbox SET available_at = $1', [deps.clock.now()]);
    expect(await once()).toBe(0);
    expect(await inOutbox()).toMatchObject([{ deferrals: 2 }]);
    expect(server.attempts()).toBe(1);
  });

  it.each([
    ['a relay that died with it', { attempts: 2 }],
    ['a repair that found it lost', { payload: { lost: true } }],
  ])('may be under way after %s: its workflow makes the next', async (_, more) => {
    const server = await serve();
    const { handle, started } = relayTo(server.url);
    const { id } = await queueReset();
    expect(await handle([workOf(id, more)])).toEqual([1]);
    expect(started).toEqual([`mail/${id}`]);
    expect(server.attempts()).toBe(0);
  });

  it('of a mail that is over does nothing', async () => {
    const { handle, started } = relayTo(nobody);
    const { id } = await queueReset();
    await execute(deps.db.manager, `UPDATE mails SET status = 'failed' WHERE id = $1`, [id]);
    expect(await handle([workOf(id)])).toEqual([1]);
    expect(started).toEqual([]);
    expect(await statusOf(id)).toBe('failed');
  });
});

describe('mails while the server is away', () => {
  it('wait in the outbox untouched, without workflows, and go out when it takes one', async () => {
    const { once, started, breaker } = relayTo(nobody);
    for (let mail = 1; mail <= 20; mail += 1) await queueReset();
    while (!breaker.isOpen()) await once();
    const failed = started.length;
    // Ten open it; beside the last of them others were under way.
    expect(failed).toBeGreaterThanOrEqual(10);
    expect(failed).toBeLessThan(10 + deps.config.smtpConnections / 2);
    expect(await once()).toBe(0);
    expect(started).toHaveLength(failed);
    const waiting = { attempts: 0, deferrals: 0, leased: false };
    expect(await inOutbox()).toEqual(Array.from({ length: 20 - failed }, () => waiting));

    breaker.worked();
    const server = await serve();
    const back = relayTo(server.url);
    expect(await back.once()).toBe(20 - failed);
    expect(server.attempts()).toBe(20 - failed);
  });

  it('go to the log of test mode all the same', async () => {
    const { once, started, breaker } = relayTo(nobody);
    for (let failure = 1; failure <= 10; failure += 1) breaker.failed();
    const { id: workspaceId } = await buildWorkspace(deps.db.manager);
    const { id } = await queueReset({ workspaceId, mode: 'test' });
    const { id: live } = await queueReset();
    expect(await once()).toBe(1);
    expect(await statusOf(id)).toBe('suppressed');
    expect(await statusOf(live)).toBe('queued');
    expect(started).toEqual([]);
  });
});

function fail(): never {
  throw new Error('nothing of this kind was to be reported');
}
