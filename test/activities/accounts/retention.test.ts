import { purgeAccountTraces } from '../../../activities/accounts/retention';
import { queueMail } from '../../../activities/journal/mail-queue';
import { rotateSession } from '../../../activities/credentials/sessions';
import { queryOne, transaction } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildPartner, signIn } from '../../support/build/accounts';
import { deliverQueued } from '../../support/mails';

const day = 86_400_000;

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

async function count(table: string): Promise<number> {
  const row = await queryOne<{ n: number }>(deps.db.manager, `SELECT count(*) AS n FROM ${table}`);
  return row?.n ?? 0;
}

it('forgets sessions, tokens and mails when they are of no more use, and not before', async () => {
  const partner = await buildPartner(deps.db.manager, { verifiedAt: null });
  const { refreshToken } = await signIn(deps, partner);
  await rotateSession(deps.db.manager, { side: 'partner', refreshToken }, deps.clock.now());
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

  expect(await purgeAccountTraces(deps.db.manager, after(0))).toBe(0);
  expect(await counts()).toEqual([1, 2, 1, 1, 1]);
  await purgeAccountTraces(deps.db.manager, after(31));
  expect(await counts()).toEqual([0, 0, 0, 0, 1]);
  await purgeAccountTraces(deps.db.manager, after(90));
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});
