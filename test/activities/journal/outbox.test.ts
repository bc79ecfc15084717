import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemCause } from '../../../activities/journal/cause';
import { queueMails } from '../../../activities/journal/mail-queue';
import { enqueueAll, noWorkspace } from '../../../activities/journal/outbox';
import { record } from '../../../activities/journal/record';
import { insertAll } from '../../../entities/database/insert-all';
import { execute, query, transaction } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { MailDigest } from '../../../entities/tables/mail/mail-digest.entity';
import { Mail } from '../../../entities/tables/mail/mail.entity';
import { useDeps } from '../../support/app';

const deps = useDeps();
beforeEach(() => execute(deps.db.manager, 'DELETE FROM outbox'));

const seen = () =>
  query(
    deps.db.manager,
    `SELECT topic, ref, payload, workspace_id AS "workspaceId", available_at AS "availableAt",
       attempts FROM outbox ORDER BY id`,
  );

describe('enqueueAll', () => {
  it('writes many items in their order, each for its workspace', async () => {
    const availableAt = new Date('2026-01-01T00:00:00Z');
    const [ref, workspaceId, named] = [newId(), newId(), newId()];
    await transaction(deps.db, async (tx) => {
      await enqueueAll(tx, []);
      await enqueueAll(tx, [
        { topic: 'commission', ref, workspaceId, availableAt },
        { topic: 'mail', ref, payload: { type: 'it "is" {quoted}' }, availableAt },
        { topic: 'feed', ref, workspaceId: null, payload: { workspaceId: named }, availableAt },
      ]);
    });
    const common = { ref, availableAt, attempts: 0 };
    expect(await seen()).toEqual([
      { topic: 'commission', ...common, payload: {}, workspaceId },
      { topic: 'mail', ...common, payload: { type: 'it "is" {quoted}' }, workspaceId: noWorkspace },
      { topic: 'feed', ...common, payload: { workspaceId: named }, workspaceId: named },
    ]);
  });

  it('is the only place that writes rows of the outbox', () => {
    const root = path.join(__dirname, '..', '..', '..');
    const writers = ['activities', 'api', 'entities', 'runtime', 'stack', 'workers'].flatMap(
      (folder) =>
        readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts') && !file.includes('migrations'))
          .map((file) => path.join(folder, file))
          .filter((file) => {
            return /INSERT INTO outbox\s*\(/.test(readFileSync(path.join(root, file), 'utf8'));
          }),
    );
    expect(writers).toEqual([path.join('activities', 'journal', 'outbox.ts')]);
  });
});

describe('record', () => {
  it("writes a change's mails and work at the time of its context, in its workspace", async () => {
    const scope = { workspaceId: newId(), mode: 'test' } as const;
    const now = new Date('2026-02-03T04:05:06Z');
    const ref = newId();
    await transaction(deps.db, (tx) =>
      record(
        tx,
        { ...systemCause(now), scope },
        {
          mails: [
            { type: 'commission.created', to: { address: 'a@example.com' }, scope },
            { type: 'webhook.disabled', to: { address: 'a@example.com' }, scope },
            { type: 'account.reset_password', to: { address: 'a@example.com' } },
          ],
          work: [{ topic: 'feed', ref, payload: { mode: 'test' } }],
        },
      ),
    );
    expect(await seen()).toEqual([
      expect.objectContaining({
        topic: 'notice_mail',
        payload: { type: 'commission.created', mode: 'test' },
        workspaceId: scope.workspaceId,
        availableAt: now,
      }),
      // There are few of these, and no sale is before them.
      expect.objectContaining({
        topic: 'mail',
        payload: { type: 'webhook.disabled', mode: 'test' },
        workspaceId: scope.workspaceId,
      }),
      expect.objectContaining({ topic: 'mail', payload: { type: 'account.reset_password' } }),
      expect.objectContaining({ topic: 'feed', ref, availableAt: now }),
    ]);
  });
});

describe('queueMails', () => {
  it('leaves to the database what it does not name, and returns the ids in order', async () => {
    const at = new Date('2026-01-01T00:00:00Z');
    const addresses = ['first@example.com', 'second@example.com'];
    const ids = await transaction(deps.db, (tx) =>
      queueMails(
        tx,
        addresses.map((address) => ({ type: 'webhook.disabled' as const, to: { address }, at })),
      ),
    );
    const rows = await query<{ id: string }>(
      deps.db.manager,
      `SELECT id, recipient, status, subject, workspace_id, params FROM mails
        WHERE id = ANY ($1) ORDER BY id`,
      [ids],
    );
    const common = { status: 'queued', subject: null, workspace_id: null, params: {} };
    expect(rows).toEqual(ids.map((id, index) => ({ id, recipient: addresses[index], ...common })));
    expect(await seen()).toHaveLength(2);
  });
});

describe('insertAll', () => {
  const accountId = newId();
  const digests = () => [{ mailId: newId(), accountId, type: 'digest' }];

  it('gives how many rows it wrote, conflicts left out', async () => {
    const db = deps.db.manager;
    const onConflict = 'ON CONFLICT (account_id, type) WHERE closed_at IS NULL DO NOTHING';
    expect(await insertAll(db, { into: MailDigest, rows: [] })).toBe(0);
    expect(await insertAll(db, { into: MailDigest, rows: digests(), onConflict })).toBe(1);
    expect(await insertAll(db, { into: MailDigest, rows: digests(), onConflict })).toBe(0);
  });

  it('refuses a property that is no column', async () => {
    const row = { id: newId(), colour: 'red' };
    await expect(insertAll(deps.db.manager, { into: Mail, rows: [row] })).rejects.toThrow(
      'Mail has no column colour',
    );
  });
});
