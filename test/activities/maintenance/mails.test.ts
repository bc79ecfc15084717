import { queueMail, type NewMail } from '../../../activities/journal/mail-queue';
import { createMaintenanceActivities } from '../../../activities/maintenance/activities';
import type { RepairBatch } from '../../../activities/maintenance/open-workflows';
import type { Deps } from '../../../runtime/process/deps';
import { execute, query, transaction } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { workflowIds } from '../../../runtime/temporal/messages';
import { useDeps } from '../../support/app';
import { asOwner } from '../../support/database';

const deps = useDeps();
beforeEach(() => asOwner(deps.config.databaseUrl, 'DELETE FROM outbox; DELETE FROM mails'));

const to = { address: 'a@example.test' };
const minutesOfADay = 24 * 60;
const ago = (minutes: number): Date => new Date(deps.clock.now().getTime() - minutes * 60_000);

function put(type: NewMail['type'], minutes: number, workspaceId?: string): Promise<string> {
  const scope = workspaceId === undefined ? {} : { scope: { workspaceId, mode: 'live' as const } };
  return transaction(deps.db, (tx) => queueMail(tx, { type, to, at: ago(minutes), ...scope }));
}

const forget = (ids: string[]): Promise<number> =>
  execute(deps.db.manager, 'DELETE FROM outbox WHERE ref = ANY($1)', [ids]);

const repair = (by: Deps = deps, cursor: string | null = null): Promise<RepairBatch> =>
  createMaintenanceActivities(by).repairBatch({ part: 'mails', cursor });

async function inOutbox(): Promise<string[]> {
  const rows = await query<{ ref: string }>(deps.db.manager, 'SELECT ref FROM outbox ORDER BY id');
  return rows.map(({ ref }) => ref);
}

async function withStatus(status: string): Promise<string[]> {
  const text = 'SELECT id FROM mails WHERE status = $1 ORDER BY id';
  return (await query<{ id: string }>(deps.db.manager, text, [status])).map(({ id }) => id);
}

describe('a mail that waits', () => {
  it('is queued again without a workflow, and given up after more than a day', async () => {
    const young = await put('account.reset_password', 5);
    const lost = await put('account.reset_password', 11);
    const old = await put('account.reset_password', 26 * 60);
    await execute(deps.db.manager, 'DELETE FROM outbox');
    expect(await repair()).toEqual({ cursor: null, repaired: 2, more: false });
    expect(await repair()).toMatchObject({ repaired: 0 });
    expect(await inOutbox()).toEqual([lost]);
    // Its workflow may be under way all the same, unseen: no relay sends it beside that one.
    const [work] = await query(deps.db.manager, 'SELECT payload FROM outbox');
    expect(work).toEqual({ payload: { type: 'account.reset_password', lost: true } });
    expect(await withStatus('failed')).toEqual([old]);
    expect(await withStatus('queued')).toEqual([young, lost].toSorted());
  });

  it('as the confirmation of an erasure that may still be undone is not sent', async () => {
    const confirmation = await put('account.erased', 11);
    await execute(deps.db.manager, 'DELETE FROM outbox');
    await execute(
      deps.db.manager,
      `INSERT INTO erasures (id, kind, subject_id, status, requested_by_type, erased_at, mail_id)
       VALUES (gen_random_uuid(), 'account', gen_random_uuid(), 'locked', 'system', now(), $1)`,
      [confirmation],
    );
    expect(await repair()).toMatchObject({ repaired: 0 });
    await execute(deps.db.manager, `UPDATE erasures SET status = 'anonymised'`);
    expect(await repair()).toMatchObject({ repaired: 1 });
    expect(await inOutbox()).toEqual([confirmation]);
  });

  it('leaves the outbox with its failure, whatever its topic; one that is sent still stays', async () => {
    const workspaceId = newId();
    const old = [
      await put('commission.created', 26 * 60, workspaceId),
      await put('account.reset_password', 26 * 60),
    ];
    const waiting = [
      await put('commission.created', minutesOfADay, workspaceId),
      await put('payout.created', 1, workspaceId),
    ];
    expect(await repair()).toMatchObject({ repaired: 2, more: false });
    expect(await withStatus('failed')).toEqual(old.toSorted());
    expect(await inOutbox()).toEqual(waiting);
  });

  it('makes room for those behind it in full batches, as long as there are any', async () => {
    await execute(
      deps.db.manager,
      `WITH made AS (
         INSERT INTO mails (id, type, params, created_at)
         SELECT gen_random_uuid(), 'commission.created', '{}', $1 FROM generate_series(1, 700)
         RETURNING id, created_at)
       INSERT INTO outbox (topic, ref, payload, available_at)
       SELECT 'notice_mail', id, '{}', created_at FROM made`,
      [ago(26 * 60)],
    );
    const young = await put('commission.created', 1);
    expect(await repair()).toEqual({ cursor: null, repaired: 500, more: true });
    expect(await inOutbox()).toHaveLength(201);
    expect(await repair()).toEqual({ cursor: null, repaired: 200, more: false });
    expect(await inOutbox()).toEqual([young]);
  });
});

/** A Temporal without any workflow, which keeps the ids that it was asked about. */
function withoutWorkflows(asked: string[]): Deps {
  async function* list({ query: text }: { query: string }): AsyncGenerator<never> {
    asked.push(...[...text.matchAll(/'(mail\/[^']+)'/g)].map(([, id = '']) => id));
    yield* [];
    await Promise.resolve();
  }
  const client = { workflow: { list } } as unknown as Deps['temporal']['client'];
  return { ...deps, temporal: { ...deps.temporal, client } };
}

describe('notices that are still to be started', () => {
  it('are not looked for among the workflows; what was started before them is', async () => {
    const [busy, other] = [newId(), newId()];
    const started = await put('commission.created', 60, busy);
    await put('commission.created', 50, busy);
    await put('conversion.created', 40, busy);
    const ofFew = await put('webhook.disabled', 30, busy);
    const ofOther = await put('commission.approved', 30, other);
    await forget([started, ofFew, ofOther]);
    const queuedBefore = await inOutbox();

    const asked: string[] = [];
    expect(await repair(withoutWorkflows(asked))).toMatchObject({ repaired: 3 });
    const lost = [started, ofFew, ofOther];
    expect(asked.toSorted()).toEqual(lost.map(workflowIds.mail).toSorted());
    expect((await inOutbox()).slice(0, 2)).toEqual(queuedBefore);
    expect((await inOutbox()).slice(2).toSorted()).toEqual(lost.toSorted());

    expect(await repair(withoutWorkflows(asked))).toMatchObject({ repaired: 0 });
    expect(await inOutbox()).toHaveLength(5);
  });

  it('hold up no look when the first of them is tried again later', async () => {
    const workspaceId = newId();
    const later = await put('commission.created', 60, workspaceId);
    const next = await put('commission.created', 50, workspaceId);
    await execute(deps.db.manager, 'UPDATE outbox SET available_at = $2 WHERE ref = $1', [
      later,
      ago(-1),
    ]);
    const asked: string[] = [];
    expect(await repair(withoutWorkflows(asked))).toMatchObject({ repaired: 0 });
    expect(asked).toEqual([workflowIds.mail(later)]);
    expect(await inOutbox()).toEqual([later, next]);
  });
});
