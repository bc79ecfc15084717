import { createMailActivities } from '../../../activities/mail/activities';
import { createMailServerBreaker } from '../../../activities/mail/server-breaker';
import { queueMail } from '../../../activities/journal/mail-queue';
import { transaction } from '../../../entities/database/sql';
import { isAboutServer } from '../../../runtime/connections/mailer';
import { createMetrics } from '../../../runtime/observe/metrics';
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
    expect(breaker.mayTry('mail')).toBe(true);
    breaker.failed();
    expect(breaker.mayTry('mail')).toBe(false);
    expect(breaker.isResting('mail')).toBe(true);
    expect(await metrics.metrics()).toMatch(/^mail_server_open\S* 1$/m);

    let tried = 0;
    for (let elapsed = 0; elapsed < 30 * 60; elapsed += 1) {
      jest.advanceTimersByTime(second);
      for (let mail = 0; mail < 5; mail += 1) {
        if (!breaker.mayTry('mail')) continue;
        tried += 1;
        breaker.failed();
      }
    }
    expect(tried).toBe(180);
    jest.advanceTimersByTime(10 * second);
    expect(breaker.mayTry('mail')).toBe(true);
    breaker.worked();
    expect(breaker.mayTry('mail')).toBe(true);
    expect(await metrics.metrics()).toMatch(/^mail_server_open\S* 0$/m);
  });

  it('keeps the probe for a mail that somebody waits for, if there is one', () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const log = { warn: jest.fn(), error: jest.fn() } as never;
    const breaker = createMailServerBreaker({ log, metrics: createMetrics('worker') });
    for (let failure = 1; failure <= 10; failure += 1) breaker.failed();
    jest.advanceTimersByTime(10 * second);
    expect(breaker.isResting('mail')).toBe(false);
    expect(breaker.mayTry('notice_mail')).toBe(false);
    jest.advanceTimersByTime(3 * second);
    expect(breaker.mayTry('notice_mail')).toBe(true);
    expect(breaker.mayTry('mail')).toBe(false);
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
