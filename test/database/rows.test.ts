import { findById, findOne } from '../../entities/database/find';
import { insertAll } from '../../entities/database/insert-all';
import { update } from '../../entities/database/update';
import { newId } from '../../entities/ids';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { TestDataReset } from '../../entities/tables/test-data/test-data-reset.entity';
import { useDatabase } from '../support/data-source';

const database = useDatabase(2);

const now = new Date('2026-01-01T00:00:00Z');

async function addWorkspace(name: string): Promise<string> {
  const id = newId();
  const row = { id, name, createdAt: now, updatedAt: now };
  expect(await insertAll(database.source.manager, { into: Workspace, rows: [row] })).toBe(1);
  return id;
}

it('reads a row as it was written, with what the database filled in', async () => {
  const db = database.source.manager;
  const id = await addWorkspace('one');
  const closing = { closesAt: null, closingSince: null, closedAt: null };
  const states = { testEmailRedirect: null, requireTwoFactor: false, ...closing };
  const payouts = { payoutApproval: 'one', payoutDailyLimits: [] };
  const row = { id, name: 'one', ...states, ...payouts, createdAt: now, updatedAt: now };
  expect(await findById(db, Workspace, id)).toEqual(row);
  expect(await findOne(db, Workspace, { where: { id, name: 'one' } })).toEqual(row);
  expect(await findOne(db, Workspace, { where: { id, name: 'two' } })).toBeUndefined();
  expect(await findById(db, Workspace, newId())).toBeUndefined();
});

it('changes the rows that it names, and JSON as JSON', async () => {
  const db = database.source.manager;
  const [id, other] = [await addWorkspace('one'), await addWorkspace('one')];
  expect(await update(db, Workspace, { set: { name: 'two' }, where: { id } })).toBe(1);
  expect(await findById(db, Workspace, other)).toMatchObject({ name: 'one' });
  const reset = { id: newId(), workspaceId: id, status: 'queued', createdAt: now, touchedAt: now };
  await insertAll(db, { into: TestDataReset, rows: [reset as TestDataReset] });
  const set = { deleted: { clicks: 3 }, startedAt: now };
  expect(await update(db, TestDataReset, { set, where: { workspaceId: id } })).toBe(1);
  expect(await findById(db, TestDataReset, reset.id)).toMatchObject(set);
});

it('looks for nothing by a value that is missing', async () => {
  const db = database.source.manager;
  const where = {} as { id: string };
  await expect(findOne(db, Workspace, { where })).rejects.toThrow('no value to look by');
  await expect(findOne(db, Workspace, { where: { testEmailRedirect: null } })).rejects.toThrow(
    'no testEmailRedirect',
  );
  expect(() => update(db, Workspace, { set: { name: 'x' }, where })).toThrow('no value');
});
