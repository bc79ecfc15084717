import { createMailActivities } from '../../../activities/mail/activities';
import { queueMail } from '../../../activities/journal/mail-queue';
import { purgeTable } from '../../../activities/maintenance/purges';
import type { MailType } from '../../../entities/rules/mail/mail';
import { query, queryOne, transaction } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildPartner, buildWorkspace, type BuiltPartner } from '../../support/build/accounts';
import { deliverQueued, mailsTo } from '../../support/stored/mails';

const minute = 60_000;
const begin = new Date('2026-03-01T12:00:00.000Z');

const deps = useDeps();
let workspaceId: string;
beforeAll(async () => {
  workspaceId = (await buildWorkspace(deps.db.manager)).id;
});
beforeEach(() => deps.clock.set(begin));

interface Wanted {
  type?: MailType;
  mode?: 'test' | 'live';
}

async function queue(partner: BuiltPartner, count: number, { type, mode }: Wanted = {}) {
  const ids: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    const id = await transaction(deps.db.manager, (tx) =>
      queueMail(tx, {
        type: type ?? 'commission.approved',
        to: { side: 'partner', accountId: partner.id },
        scope: { workspaceId, mode: mode ?? 'live' },
        params: { programName: 'Acme', amount: { amountCents: index * 100, currency: 'eur' } },
        at: deps.clock.now(),
      }),
    );
    ids.push(id);
  }
  return ids;
}

function times(outcome: string, count: number): string[] {
  return Array.from({ length: count }, () => outcome);
}

interface Digest {
  id: string;
  createdAt: Date;
  status: string;
}

function digestsOf(partner: BuiltPartner): Promise<Digest[]> {
  return query<Digest>(
    deps.db.manager,
    `SELECT id, created_at AS "createdAt", status FROM mails
     WHERE type = 'digest' AND account_id = $1 ORDER BY created_at`,
    [partner.id],
  );
}

describe('mails of one type to one person', () => {
  it('come one by one up to the tenth; the rest come as one digest, which can be stopped', async () => {
    const partner = await buildPartner(deps.db.manager);
    await queue(partner, 35);
    expect(await deliverQueued(deps)).toEqual([...times('sent', 10), ...times('digested', 25)]);

    deps.clock.advance(15 * minute - 1);
    expect(await deliverQueued(deps)).toEqual([]);
    deps.clock.advance(1);
    expect(await deliverQueued(deps)).toEqual(['sent']);
    expect(await deliverQueued(deps)).toEqual([]);

    const mails = await mailsTo(partner.email);
    expect(mails).toHaveLength(11);
    const [digest] = mails;
    expect(digest?.subject).toBe('25 more commissions are approved');
    expect(digest?.text).toContain('Your commission of EUR 11.00 is approved');
    expect(digest?.text).toContain('Your commission of EUR 30.00 is approved');
    expect(digest?.text).toContain('and 5 more');
    // 11 to 35.
    expect(digest?.text).toContain('Together: EUR 575.00');
    expect(digest?.text).toContain('is approved (Acme)');
    expect(digest?.text).not.toContain('EUR 31.00');
    expect(digest?.headers.find(({ name }) => name === 'List-Unsubscribe-Post')).toBeDefined();
  });

  it('that do not end come as one digest a quarter of an hour, and one by one when they ease', async () => {
    const partner = await buildPartner(deps.db.manager);
    for (let round = 0; round < 4; round += 1) {
      await queue(partner, 12);
      await deliverQueued(deps);
      deps.clock.advance(10 * minute);
    }
    // Opened at 0 and due at 15 minutes; the third round, at 20, opens the next.
    expect((await digestsOf(partner)).map(({ createdAt }) => +createdAt - +begin)).toEqual([
      15 * minute,
      35 * minute,
    ]);
    expect(await deliverQueued(deps)).toEqual(['sent']);
    const digests = (await mailsTo(partner.email)).filter(({ subject }) => /more/.test(subject));
    expect(digests.map(({ subject }) => Number.parseInt(subject))).toEqual([24, 14]);
    deps.clock.advance(20 * minute);
    await queue(partner, 1);
    expect(await deliverQueued(deps)).toEqual(['sent']);
  });

  it('are counted apart from other types, other persons and test mode', async () => {
    const [partner, other] = [
      await buildPartner(deps.db.manager),
      await buildPartner(deps.db.manager),
    ];
    await queue(partner, 10);
    await queue(partner, 3, { type: 'commission.refunded' });
    await queue(other, 3);
    await queue(partner, 12, { mode: 'test' });
    expect(await deliverQueued(deps)).toEqual([...times('sent', 16), ...times('suppressed', 12)]);
  });

  it('wait for no digest when they are about security', async () => {
    const partner = await buildPartner(deps.db.manager);
    await queue(partner, 14, { type: 'security.password_changed' });
    expect(await deliverQueued(deps)).toEqual(times('sent', 14));
  });
});

describe('a digest', () => {
  it('is one, with every mail in it once, however many workers plan at the same time', async () => {
    const partner = await buildPartner(deps.db.manager);
    const ids = await queue(partner, 40);
    const { sendMail } = createMailActivities(deps);
    const outcomes = await Promise.all(ids.map((mailId) => sendMail({ mailId })));
    expect(outcomes.filter(({ status }) => status === 'sent')).toHaveLength(10);
    const [digest, ...more] = await digestsOf(partner);
    expect(more).toEqual([]);

    deps.clock.advance(15 * minute);
    // A mail that comes while it leaves is in this one or in the next.
    const [late] = await queue(partner, 1);
    const all = [digest?.id, late].map((mailId) => sendMail({ mailId: String(mailId) }));
    await Promise.all(all);
    deps.clock.advance(15 * minute);
    await deliverQueued(deps);
    const counted = (await mailsTo(partner.email))
      .map(({ subject }) => Number(/^(\d+) more/.exec(subject)?.[1] ?? 1))
      .reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(41);
  });

  it('keeps what it says and its Message-ID when it must be tried again', async () => {
    const partner = await buildPartner(deps.db.manager);
    await queue(partner, 12);
    await deliverQueued(deps);
    deps.clock.advance(15 * minute);
    const away = createMailActivities({
      ...deps,
      config: { ...deps.config, smtpUrl: 'smtp://127.0.0.1:1' },
    });
    const [digest] = await digestsOf(partner);
    await expect(away.sendMail({ mailId: digest?.id ?? '' })).rejects.toThrow('mail server');
    // Further mails come between the attempts: the digest was closed at the first.
    await queue(partner, 11);
    await deliverQueued(deps);
    const [mail] = (await mailsTo(partner.email)).filter(({ subject }) => /more/.test(subject));
    expect(mail?.subject).toBe('2 more commissions are approved');
    expect(mail?.headers.find(({ name }) => name === 'Message-ID')?.value).toContain(digest?.id);
    expect((await digestsOf(partner)).map(({ status }) => status)).toEqual(['sent', 'queued']);
  });

  it('takes none of those that were on their way one by one when an attempt failed', async () => {
    const partner = await buildPartner(deps.db.manager);
    const ids = await queue(partner, 12);
    const away = createMailActivities({
      ...deps,
      config: { ...deps.config, smtpUrl: 'smtp://127.0.0.1:1' },
    });
    const attempts = ids.map((mailId) => away.sendMail({ mailId }));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    const { sendMail } = createMailActivities(deps);
    for (const mailId of ids) await sendMail({ mailId });
    expect(await mailsTo(partner.email)).toHaveLength(10);
  });

  it('is carried by the outbox, so that no process has to remember it', async () => {
    const partner = await buildPartner(deps.db.manager);
    await queue(partner, 11);
    await deliverQueued(deps);
    const [digest] = await digestsOf(partner);
    const work = await queryOne<{ topic: string; availableAt: Date }>(
      deps.db.manager,
      'SELECT topic, available_at AS "availableAt" FROM outbox WHERE ref = $1',
      [digest?.id],
    );
    expect(work).toEqual({ topic: 'mail', availableAt: digest?.createdAt });
  });

  it('stays away when the person has switched its category off, or is gone', async () => {
    const [quiet, gone] = [
      await buildPartner(deps.db.manager),
      await buildPartner(deps.db.manager),
    ];
    await queue(quiet, 11);
    await queue(gone, 11);
    await deliverQueued(deps);
    await deps.db.manager.query(
      `INSERT INTO notification_preferences (side, account_id, category, email, updated_at)
       VALUES ('partner', $1, 'commissions', false, now())`,
      [quiet.id],
    );
    await deps.db.manager.query('UPDATE partner_accounts SET erased_at = now() WHERE id = $1', [
      gone.id,
    ]);
    const fates = async () =>
      (await Promise.all([quiet, gone].map(digestsOf))).flat().map(({ status }) => status);
    expect(await fates()).toEqual(['queued', 'queued']);
    deps.clock.advance(15 * minute);
    await deliverQueued(deps);
    expect(await fates()).toEqual(['dropped', 'dropped']);
  });

  it('is forgotten in time, with the counts that led to it', async () => {
    const left = () =>
      queryOne<{ left: string }>(
        deps.db.manager,
        `SELECT (SELECT count(*) FROM mail_counts)
           + (SELECT count(*) FROM mail_digests WHERE closed_at IS NOT NULL) AS left`,
      );
    expect(Number((await left())?.left)).toBeGreaterThan(0);
    deps.clock.advance(91 * 24 * 60 * minute);
    for (const table of ['mail_counts', 'mail_digests']) {
      await purgeTable(deps.db.manager, table, deps.clock.now());
    }
    expect(Number((await left())?.left)).toBe(0);
  });
});
