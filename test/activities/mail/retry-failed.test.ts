import { queueMail } from '../../../activities/journal/mail-queue';
import { retryFailedMails } from '../../../activities/mail/retry-failed';
import { execute, query, transaction } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { deliverQueued } from '../../support/stored/mails';

let deps: TestDeps;
beforeAll(async () => (deps = await openTestDeps()));
afterAll(() => deps.close());

async function queueFailed(finishedAt: Date): Promise<string> {
  const partner = await buildPartner(deps.db.manager, { verifiedAt: null });
  const id = await transaction(deps.db.manager, (tx) =>
    queueMail(tx, {
      type: 'account.verify_email',
      to: { side: 'partner', accountId: partner.id },
      at: new Date(finishedAt.getTime() - 1_000),
    }),
  );
  await execute(deps.db.manager, 'DELETE FROM outbox WHERE ref = $1', [id]);
  await execute(
    deps.db.manager,
    `UPDATE mails SET status = 'failed', finished_at = $2 WHERE id = $1`,
    [id, finishedAt],
  );
  return id;
}

it('queues what failed since an instant once more, and nothing else', async () => {
  const now = deps.clock.now();
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const [older, failed] = [await queueFailed(ago(50)), await queueFailed(ago(40))];

  expect(await retryFailedMails(deps.db.manager, { since: ago(45), now })).toBe(1);
  expect(await retryFailedMails(deps.db.manager, { since: ago(45), now })).toBe(0);
  const work = await query<{ ref: string; topic: string }>(
    deps.db.manager,
    'SELECT ref, topic FROM outbox WHERE ref = ANY($1)',
    [[older, failed]],
  );
  expect(work).toEqual([{ ref: failed, topic: 'mail' }]);
  expect(await deliverQueued(deps)).toEqual(['sent']);
});
