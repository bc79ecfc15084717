import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { queueMail } from '../../../activities/journal/mail-queue';
import { createMailActivities } from '../../../activities/mail/activities';
import { queryOne, transaction } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';

/** The last mail that it took. */
let taken = '';
/** What the server says to each command; nothing: it takes it. */
let says: { from?: [number, string]; to?: [number, string] } = {};
const answer = (said: [number, string] | undefined, done: (error?: Error | null) => void): void =>
  done(said ? Object.assign(new Error(said[1]), { responseCode: said[0] }) : null);

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onMailFrom: (_address, _session, done) => answer(says.from, done),
  onRcptTo: (_address, _session, done) => answer(says.to, done),
  onData: (stream, _session, done) => {
    taken = '';
    stream.on('data', (part: Buffer) => (taken += part.toString()));
    stream.on('end', () => done());
  },
});
let deps: TestDeps;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const answered = { MAIL_REPLY_TO: 'Help <help@shop.example>' };
  deps = await openTestDeps({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...answered });
});
afterAll(async () => {
  await deps.close();
  await new Promise<void>((resolve) => server.close(resolve));
});

async function queued() {
  const partner = await buildPartner(deps.db.manager);
  const mailId = await transaction(deps.db.manager, (tx) =>
    queueMail(tx, {
      type: 'security.password_changed',
      to: { side: 'partner', accountId: partner.id },
      at: deps.clock.now(),
    }),
  );
  const { sendMail } = createMailActivities(deps);
  const look = () =>
    queryOne<{ status: string; suppressed: number }>(
      deps.db.manager,
      `SELECT status, (SELECT count(*) FROM suppressed_addresses) AS suppressed
         FROM mails WHERE id = $1`,
      [mailId],
    );
  return { send: () => sendMail({ mailId }), look };
}

async function counted(outcome: string): Promise<number> {
  const text = await deps.metrics.metrics();
  const line = `mails_total\\{type="security.password_changed",outcome="${outcome}"[^}]*\\} (\\d+)`;
  return Number(new RegExp(line).exec(text)?.[1] ?? 0);
}

it('says where answers to it go', async () => {
  const { send } = await queued();
  expect(await send()).toEqual({ status: 'sent' });
  expect(taken).toMatch(/^Reply-To: Help <help@shop\.example>\r$/m);
});

describe('a mail that the server refuses', () => {
  it.each<typeof says>([
    { from: [530, '5.7.0 Authentication required'] },
    { to: [554, '5.7.1 Relay access denied'] },
    { to: [451, '4.7.1 Greylisted'] },
  ])('because of us is tried again, and nobody is suppressed: %j', async (refusal) => {
    const { send, look } = await queued();
    const before = await counted('try_again');
    says = refusal;
    await expect(send()).rejects.toThrow('did not take the mail');
    expect(await look()).toEqual({ status: 'queued', suppressed: 0 });
    expect(await counted('try_again')).toBe(before + 1);

    says = {};
    expect(await send()).toEqual({ status: 'sent' });
  });

  it('because of its recipient is over, and the address takes no more', async () => {
    const { send, look } = await queued();
    says = { to: [550, '5.1.1 No such user'] };
    expect(await send()).toEqual({ status: 'failed' });
    expect(await look()).toEqual({ status: 'failed', suppressed: 1 });
    expect(await counted('no_such_recipient')).toBe(1);
    says = {};
  });
});
