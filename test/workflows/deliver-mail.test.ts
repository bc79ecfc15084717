import { isSuppressed } from '../../activities/suppression/suppression';
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createMailActivities } from '../../activities/mail/activities';
import { queueMail } from '../../activities/journal/mail-queue';
import { query, queryOne, transaction } from '../../entities/database/sql';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { giveUpMailUpdate, retryMailUpdate } from '../../workflows/deliver-mail';
import { activityInterceptors } from '../../workers/temporal/interceptors';
import { workflowIds } from '../../runtime/temporal/messages';
import { openTestDeps, type TestDeps } from '../support/app';
import { eventually } from '../support/eventually';
import { refusal, startMailServer } from '../support/mail-server';
import { saveHistory } from '../support/workers/histories';
import { buildPartner, type BuiltPartner } from '../support/build/accounts';
import { mailsTo, mailTo, tokenIn } from '../support/stored/mails';
import { workflowBundle } from '../support/workers/workflow-bundle';

const taskQueue = `mail-test-${process.pid}`;

let deps: TestDeps;
let connection: NativeConnection;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  deps = await openTestDeps();
  connection = await NativeConnection.connect({ address: deps.config.temporal.address });
});
afterAll(async () => {
  await connection.close();
  await deps.close();
});

/** Runs the workflow of one mail on a worker whose mails go to `smtpUrl`. */
async function deliver(mailId: string, smtpUrl = deps.config.smtpUrl): Promise<string> {
  const [outcome = ''] = await deliverAll([mailId], smtpUrl);
  return outcome;
}

async function deliverAll(mailIds: readonly string[], smtpUrl: string): Promise<string[]> {
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: createMailActivities({ ...deps, config: { ...deps.config, smtpUrl } }),
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  return worker.runUntil(
    Promise.all(
      mailIds.map(
        (mailId) =>
          deps.temporal.client.workflow.execute('deliverMail', {
            workflowId: workflowIds.mail(mailId),
            taskQueue,
            args: [{ mailId }],
          }) as Promise<string>,
      ),
    ),
  );
}

function handleOf(mailId: string) {
  return deps.temporal.client.workflow.getHandle(workflowIds.mail(mailId));
}

async function queueVerification(): Promise<{ partner: BuiltPartner; mailId: string }> {
  const partner = await buildPartner(deps.db.manager, { verifiedAt: null, name: 'Vera Verify' });
  const mailId = await transaction(deps.db.manager, (tx) =>
    queueMail(tx, {
      type: 'account.verify_email',
      to: { side: 'partner', accountId: partner.id },
      at: deps.clock.now(),
    }),
  );
  return { partner, mailId };
}

async function statusOf(mailId: string): Promise<string | undefined> {
  const row = await queryOne<{ status: string }>(
    deps.db.manager,
    'SELECT status FROM mails WHERE id = $1',
    [mailId],
  );
  return row?.status;
}

const note: OperatorNote = { operator: 'op-17', reasonCode: 'SYSTEM_FAULT' };
const byOperator: { args: [OperatorNote] } = { args: [note] };

const ordersOf = (mailId: string) =>
  query(
    deps.db.manager,
    `SELECT action, operator, reason_code AS "reasonCode" FROM audit_log WHERE target_id = $1`,
    [mailId],
  );

describe('deliverMail', () => {
  it('sends a mail, and keeps persons and tokens out of the history', async () => {
    const { partner, mailId } = await queueVerification();
    expect(await deliver(mailId)).toBe('sent');
    expect(await statusOf(mailId)).toBe('sent');

    const mail = await mailTo(partner.email, 'Confirm');
    const everything = await saveHistory(handleOf(mailId), 'deliver-mail.sent');
    expect(everything).toContain(mailId);
    for (const secret of [partner.email, partner.name, tokenIn(mail.text)]) {
      expect(everything).not.toContain(secret);
    }
  });

  it('changes nothing when it is started again', async () => {
    const { partner, mailId } = await queueVerification();
    expect(await deliver(mailId)).toBe('sent');
    expect(await deliver(mailId)).toBe('sent');
    expect(await mailsTo(partner.email)).toHaveLength(1);
  });

  it('tries again while the server is busy', async () => {
    const { mailId } = await queueVerification();
    const server = await startMailServer({
      onRecipient: (attempt) => (attempt < 3 ? refusal(451) : null),
    });
    expect(await deliver(mailId, server.url)).toBe('sent');
    expect(server.attempts()).toBe(3);
    const everything = await saveHistory(handleOf(mailId), 'deliver-mail.retried');
    expect(everything).not.toContain('example.test');
    await server.stop();
  });

  it('names a mail the same at each attempt, for a server that took it and could not say so', async () => {
    const { mailId } = await queueVerification();
    const taken: string[] = [];
    const server = await startMailServer({
      onMessage: (message) => (taken.push(message) < 3 ? refusal(451) : null),
    });
    expect(await deliver(mailId, server.url)).toBe('sent');
    const names = taken.map((message) => /^Message-ID: (.*)$/im.exec(message)?.[1]?.trim());
    expect(names).toEqual(Array.from({ length: 3 }, () => `<${mailId}@localhost>`));
    await server.stop();
  });

  it('goes on when a server that was away is back', async () => {
    const { mailId } = await queueVerification();
    const server = await startMailServer();
    await server.stop();
    const delivery = deliver(mailId, server.url);
    // Real time: the first attempts of the running workflow must have failed.
    await sleep(1_500);
    expect(await statusOf(mailId)).toBe('queued');
    const back = await startMailServer({ port: server.port });
    expect(await delivery).toBe('sent');
    await back.stop();
  });

  it('gives a mail up whose recipient does not exist, and writes there no more', async () => {
    const { partner, mailId } = await queueVerification();
    const server = await startMailServer({ onRecipient: () => refusal(550, '5.1.1') });
    expect(await deliver(mailId, server.url)).toBe('failed');
    expect(await statusOf(mailId)).toBe('failed');
    expect(server.attempts()).toBe(1);
    expect(await isSuppressed({ db: deps.db.manager, vault: deps.vault }, partner.email)).toBe(
      true,
    );
    await server.stop();
  });

  it('gives a mail up that is too large for the server', async () => {
    const { partner, mailId } = await queueVerification();
    const server = await startMailServer({ onMessage: () => refusal(552, '5.3.4') });
    expect(await deliver(mailId, server.url)).toBe('failed');
    expect(await isSuppressed({ db: deps.db.manager, vault: deps.vault }, partner.email)).toBe(
      false,
    );
    await server.stop();
  });

  it.each([
    ['relaying is denied', 554, '5.7.1'],
    ['the server names no reason', 550, ''],
  ])('tries again when %s: somebody will mend it', async (_, code, enhanced) => {
    const { mailId } = await queueVerification();
    const server = await startMailServer({
      onRecipient: (attempt) => (attempt < 3 ? refusal(code, enhanced) : null),
    });
    expect(await deliver(mailId, server.url)).toBe('sent');
    expect(server.attempts()).toBe(3);
    await server.stop();
  });

  it('gives a mail up when an operator cancels it, so that no repair sends it', async () => {
    const { mailId } = await queueVerification();
    const server = await startMailServer({ onRecipient: () => refusal(451, '4.3.0') });
    const delivery = deliver(mailId, server.url);
    await eventually(() => Promise.resolve(server.attempts() > 0 || undefined));
    await handleOf(mailId).cancel();
    expect(await delivery).toBe('failed');
    expect(await statusOf(mailId)).toBe('failed');
    await saveHistory(handleOf(mailId), 'deliver-mail.cancelled');
    await server.stop();
  });

  it('sends now, or gives up, when an operator says so', async () => {
    const [one, two] = [await queueVerification(), await queueVerification()];
    const server = await startMailServer({
      onRecipient: (attempt) => (attempt > 2 ? null : refusal(451, '4.3.0')),
    });
    const deliveries = deliverAll([one.mailId, two.mailId], server.url);
    await eventually(() => Promise.resolve(server.attempts() >= 2 || undefined));
    await handleOf(two.mailId).executeUpdate(giveUpMailUpdate, byOperator);
    await handleOf(one.mailId).executeUpdate(retryMailUpdate, byOperator);
    expect(await deliveries).toEqual(['sent', 'failed']);
    expect(await statusOf(two.mailId)).toBe('failed');
    await saveHistory(handleOf(one.mailId), 'deliver-mail.operator-retries');
    await saveHistory(handleOf(two.mailId), 'deliver-mail.given-up');
    expect(await ordersOf(two.mailId)).toEqual([{ action: 'mail.given_up', ...note }]);
    expect(await ordersOf(one.mailId)).toEqual([{ action: 'mail.retried_now', ...note }]);
    await server.stop();
  });

  it('tries anew when an operator says so during an attempt that then fails', async () => {
    const { mailId } = await queueVerification();
    let fail = (_error: Error): void => undefined;
    const first = new Promise<Error>((resolve) => (fail = resolve));
    const server = await startMailServer({
      onRecipient: (attempt) => (attempt === 1 ? first : null),
    });
    const delivery = deliver(mailId, server.url);
    await eventually(() => Promise.resolve(server.attempts() > 0 || undefined));
    await handleOf(mailId).executeUpdate(retryMailUpdate, byOperator);
    fail(refusal(451));
    expect(await delivery).toBe('sent');
    const history = await saveHistory(handleOf(mailId), 'deliver-mail.impatient');
    // The update tried it, not the server's own next attempt, which comes a second later.
    expect(history).toContain('ACTIVITY_TASK_CANCEL_REQUESTED');
    expect(await ordersOf(mailId)).toEqual([{ action: 'mail.retried_now', ...note }]);
    await server.stop();
  });

  it('drops what has lost its point', async () => {
    const { partner, mailId } = await queueVerification();
    await deps.db.manager.query(
      'UPDATE partner_accounts SET email_verified_at = now() WHERE id = $1',
      [partner.id],
    );
    expect(await deliver(mailId)).toBe('dropped');
    expect(await mailsTo(partner.email)).toHaveLength(0);
    expect(await deliver('019a0b1c-2d3e-7f40-8a51-62738495a6b9')).toBe('dropped');
  });
});
