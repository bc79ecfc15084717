import { purgedTables, purgeTable } from '../../../activities/maintenance/purges';
import { queueMail } from '../../../activities/journal/mail-queue';
import { rotateSession } from '../../../activities/credentials/sessions';
import { systemActor } from '../../../entities/rules/values/actor';
import { queryOne, transaction } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildPartner, signIn } from '../../support/build/accounts';
import { deliverQueued } from '../../support/stored/mails';

const day = 86_400_000;
const causeAt = (now: Date) => ({ actor: systemActor, now });

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

async function count(table: string): Promise<number> {
  const row = await queryOne<{ n: number }>(deps.db.manager, `SELECT count(*) AS n FROM ${table}`);
  return row?.n ?? 0;
}

async function purgeAll(now: Date): Promise<number> {
  let deleted = 0;
  for (const table of purgedTables) deleted += await purgeTable(deps.db.manager, table, now);
  return deleted;
}

it('forgets sessions, tokens and mails when they are of no more use, and not before', async () => {
  const partner = await buildPartner(deps.db.manager, { verifiedAt: null });
  const { refreshToken } = await signIn(deps, partner);
  await rotateSession(deps.db.manager, causeAt(deps.clock.now()), {
    side: 'partner',
    refreshToken,
  });
  await transaction(deps.db.manager, (tx) =>
    queueMail(tx, {
      type: 'account.verify_email',
      to: { side: 'partner', accountId: partner.id },
      at: deps.clock.now(),
    }),
  );
  await deliverQueued(deps);
  const now = deps.clock.now();
  const after = (days: number) => new Date(now.getTime() + days * day + 60_000);
  const tables = ['sessions', 'refresh_tokens', 'email_tokens', 'account_addresses', 'mails'];
  const counts = async () => Promise.all(tables.map(count));

  expect(await purgeAll(after(0))).toBe(0);
  expect(await counts()).toEqual([1, 2, 1, 1, 1]);
  await purgeAll(after(31));
  expect(await counts()).toEqual([0, 0, 0, 0, 1]);
  await purgeAll(after(90));
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});

it('forgets spent refresh tokens after an hour, and still sees the last one used twice', async () => {
  const partner = await buildPartner(deps.db.manager);
  const rotate = (refreshToken: string, minutes: number) =>
    rotateSession(
      deps.db.manager,
      causeAt(new Date(deps.clock.now().getTime() + minutes * 60_000)),
      { side: 'partner', refreshToken },
    );
  const first = (await signIn(deps, partner)).refreshToken;
  const second = (await rotate(first, 0)).refreshToken;
  const third = (await rotate(second, 61)).refreshToken;
  const fourth = (await rotate(third, 62)).refreshToken;
  expect(await count('refresh_tokens')).toBe(3);
  await expect(rotate(first, 63)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  await expect(rotate(second, 64)).rejects.toMatchObject({ code: 'REFRESH_TOKEN_REUSED' });
  await expect(rotate(fourth, 65)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
});
