import { send } from '../../../activities/mail/send';
import type { Sending } from '../../../activities/mail/plan';
import type { MailType } from '../../../entities/rules/mail/mail';
import { createMailActivities } from '../../../activities/mail/activities';
import { createMailServerBreaker } from '../../../activities/mail/server-breaker';
import { queueMail } from '../../../activities/journal/mail-queue';
import { transaction } from '../../../entities/database/sql';
import { isAboutServer, type Mailer } from '../../../runtime/connections/mailer';
import { createMetrics } from '../../../runtime/process/metrics';
import { buildPartner } from '../../support/build/accounts';
import { openTestDeps, type TestDeps } from '../../support/app';

const second = 1_000;

describe('the breaker of the mail server', () => {
  afterEach(() => jest.useRealTimers());

  it('opens after ten failures in a row, probes each ten seconds, and closes at a success', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const metrics = createMetrics('worker');
    const log = { warn: jest.fn(), error: jest.fn() } as never;
    const breaker = createMailServerBreaker({ log, metrics });
    for (let failure = 1; failure < 10; failure += 1) breaker.failed();
    breaker.worked();
    for (let failure = 1; failure < 10; failure += 1) breaker.failed();
    expect(breaker.mayTry()).toBe(true);
    breaker.failed();
    expect(breaker.mayTry()).toBe(false);
    expect(await metrics.metrics()).toMatch(/^mail_server_open\S* 1$/m);

    let tried = 0;
    for (let elapsed = 0; elapsed < 30 * 60; elapsed += 1) {
      jest.advanceTimersByTime(second);
      for (let mail = 0; mail < 5; mail += 1) {
        if (!breaker.mayTry()) continue;
        tried += 1;
        breaker.failed();
      }
    }
    expect(tried).toBe(180);
    jest.advanceTimersByTime(10 * second);
    expect(breaker.mayTry()).toBe(true);
    breaker.worked();
    expect(breaker.mayTry()).toBe(true);
    expect(await metrics.metrics()).toMatch(/^mail_server_open\S* 0$/m);
  });

  it.each([
    [{ code: 'ECONNREFUSED' }, true],
    [{ code: 'ETIMEDOUT', command: 'CONN' }, true],
    [{ responseCode: 421, command: 'RCPT TO' }, true],
    [{ responseCode: 535, command: 'AUTH PLAIN' }, true],
    [{ responseCode: 550, command: 'MAIL FROM' }, true],
    [{ responseCode: 450, command: 'RCPT TO' }, false],
    [{ responseCode: 554, command: 'DATA' }, false],
  ])('counts what is about the server, not what is about a mail: %j %s', (error, counts) => {
    expect(isAboutServer(error)).toBe(counts);
  });
});

const minutes = 60 * second;
const policy = { firstMs: second, mostMs: 5 * minutes };

interface WaitingMail {
  sending: Sending;
  attempt: number;
  dueAt: number;
}

/** As the server retries an activity: at the delay that the failure names, else twice as long each time. */
function delayOf(failure: unknown, attempt: number): number {
  const { nextRetryDelay } = failure as { nextRetryDelay?: number };
  return nextRetryDelay ?? Math.min(policy.firstMs * 2 ** attempt, policy.mostMs);
}

function mailsOf(type: MailType, count: number): WaitingMail[] {
  return Array.from({ length: count }, (_, n) => ({
    sending: {
      mail: { id: `${type}/${n}`, type, createdAt: new Date(0) },
      composed: {},
      to: 'a@example.test',
      onSuccess: 'sent',
    } as unknown as Sending,
    attempt: 0,
    // As fast as they are started.
    dueAt: Math.floor(n / 50) * second,
  }));
}

describe('a storm of mails', () => {
  const { stackTraceLimit } = Error;
  afterEach(() => {
    jest.useRealTimers();
    Error.stackTraceLimit = stackTraceLimit;
  });

  it('costs a server that is away for half an hour few attempts, and nothing is lost', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate'] });
    // Tens of thousands of failures, whose stacks nobody reads.
    Error.stackTraceLimit = 0;
    const log = { warn: jest.fn(), error: jest.fn() };
    const deps = {
      log,
      metrics: createMetrics('worker'),
      clock: { now: () => new Date() },
    } as never;
    const awayUntil = 30 * minutes;
    const taken: string[] = [];
    let refused = 0;
    const mailer: Mailer = {
      send({ messageId }) {
        if (Date.now() >= awayUntil) {
          taken.push(messageId);
          return Promise.resolve('accepted');
        }
        refused += 1;
        return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
      },
    };
    const server = { mailer, breaker: createMailServerBreaker(deps) };
    let waiting = [
      ...mailsOf('commission.created', 10_000),
      ...mailsOf('account.reset_password', 100),
    ];
    while (waiting.length > 0 && Date.now() < awayUntil + 10 * minutes) {
      const left: WaitingMail[] = [];
      for (const one of waiting) {
        if (one.dueAt > Date.now()) {
          left.push(one);
          continue;
        }
        await send(deps, server, one.sending).catch((failure: unknown) => {
          one.attempt += 1;
          one.dueAt = Date.now() + delayOf(failure, one.attempt);
          left.push(one);
        });
      }
      waiting = left;
      jest.advanceTimersByTime(5 * second);
    }
    expect(refused).toBeLessThan(500);
    expect(log.warn.mock.calls.length + log.error.mock.calls.length).toBeLessThan(500);
    expect(new Set(taken).size).toBe(10_100);
    expect(taken).toHaveLength(10_100);
    const lastReset = taken.findLastIndex((id) => id.startsWith('account.reset_password'));
    expect(lastReset).toBeLessThan(2_000);
  });
});

describe('sendMail', () => {
  let deps: TestDeps;
  beforeAll(async () => {
    // Nobody listens there.
    deps = await openTestDeps({ SMTP_URL: 'smtp://127.0.0.1:1' });
  });
  afterAll(() => deps.close());

  it('asks a server that is away ten times, whatever waits', async () => {
    const warn = jest.spyOn(deps.log, 'warn').mockImplementation(() => undefined);
    const error = jest.spyOn(deps.log, 'error').mockImplementation(() => undefined);
    const { sendMail } = createMailActivities(deps);
    const { id: accountId } = await buildPartner(deps.db.manager, { verifiedAt: null });
    const put = (): Promise<string> =>
      transaction(deps.db, (tx) =>
        queueMail(tx, {
          type: 'account.verify_email',
          to: { side: 'partner', accountId },
          at: deps.clock.now(),
        }),
      );
    const failures: unknown[] = [];
    for (let mail = 0; mail < 40; mail += 1) {
      const mailId = await put();
      await sendMail({ mailId }).catch((failure: unknown) => failures.push(failure));
    }
    const text = await deps.metrics.metrics();
    expect(text).toMatch(/^mails_total{type="account.verify_email",outcome="try_again"\S* 10$/m);
    expect(warn.mock.calls.length + error.mock.calls.length).toBe(11);
    expect(failures).toHaveLength(40);
    expect(failures.at(-1)).toMatchObject({ type: 'MailServerAway', nextRetryDelay: 30_000 });
  });
});
