import { repairImports } from '../../../activities/imports/repair';
import { cancelImport, createImport, getImport } from '../../../activities/imports/imports';
import { checkImport } from '../../../activities/imports/check';
import { keepFile } from '../../../activities/imports/files';
import { execute, query } from '../../../entities/database/sql';
import { readImportFile } from '../../../api/imports/read-file';
import { useDeps } from '../../support/app';
import { contextAt } from '../../support/build/decisions';
import { buildProgram } from '../../support/build/programs';

const deps = useDeps();

async function begin() {
  const db = deps.db.manager;
  const program = await buildProgram(db);
  const now = deps.clock.now();
  const context = contextAt(program, now);
  const stores = { db, vault: deps.vault };
  const draft = { source: 'csv', cutover: now } as const;
  const { id: importId } = await createImport(stores, context, { programId: program.id, draft });
  const key = { programId: program.id, importId };
  const table = readImportFile(Buffer.from('partner_id,email\np1,ann@example.com'));
  if (!table) throw new Error('a file without a header');
  await keepFile(stores, context, { ...key, kind: 'partners', part: 1, table });
  const read = () => getImport(db, context.scope, key);
  const files = async () =>
    (await query(db, 'SELECT 1 FROM import_files WHERE import_id = $1', [importId])).length;
  return { key, context, read, files };
}

const later = (days: number): Date => new Date(deps.clock.now().getTime() + days * 86_400_000);

it('ends what nobody went on with for 30 days, with all that was read', async () => {
  const db = deps.db.manager;
  const { read, files } = await begin();
  await repairImports(db, later(29));
  expect([(await read()).status, await files()]).toEqual(['draft', 1]);
  await repairImports(db, later(31));
  expect([(await read()).status, await files()]).toEqual(['cancelled', 0]);
});

it('ends what was stopped and left for 30 days as far as it came, with its files and its key', async () => {
  const db = deps.db.manager;
  const { key, read, files } = await begin();
  await execute(
    db,
    `UPDATE imports SET status = 'stopped', credentials_encrypted = 'v1.x' WHERE id = $1`,
    [key.importId],
  );
  await repairImports(db, later(29));
  expect([(await read()).status, await files()]).toEqual(['stopped', 1]);
  await repairImports(db, later(31));
  const { status, credentialsEncrypted } = await read();
  expect([status, credentialsEncrypted, await files()]).toEqual(['applied', null, 0]);
});

it('gives an import that is at work its workflow again, whatever has lost it', async () => {
  const db = deps.db.manager;
  const { key, context } = await begin();
  await checkImport(db, context, key);
  await execute(db, `DELETE FROM outbox WHERE topic = 'import'`);
  await repairImports(db, deps.clock.now());
  await repairImports(db, deps.clock.now());
  const work = await query<{ ref: string }>(
    db,
    `SELECT ref FROM outbox WHERE topic = 'import' AND ref = $1`,
    [key.importId],
  );
  expect(work).toHaveLength(1);
  await cancelImport(db, context, key);
});
