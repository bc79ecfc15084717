import { readImportFile } from '../../../api/imports/read-file';
import { keepFile } from '../../../activities/imports/files';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { beginImport } from '../../support/imports';
import { inPieces, longestStretchOf } from '../../support/run/longest-stretch';

const app = useApp();
const bytes = 4 * 1024 * 1024;
/** In pieces of some ten milliseconds: a request beside it waits this long once, or twice. */
const bound = 2;

function file(header: string, row: string): Buffer {
  return Buffer.from(header + row.repeat(Math.ceil(bytes / row.length)));
}

const wide = Array.from({ length: 200 }, (_, n) => `c${n}`).join(',');
const files: Record<string, Buffer> = {
  'two hundred addresses a row': file(`${wide}\n`, `${'a@b.co,'.repeat(199)}a@b.co\n`),
  'rows of long cells': file('partner_id,email\n', `${'x'.repeat(9_000)},a@b.co\n`),
  'rows as they are': file('partner_id,email,name\n', 'p1234,somebody@example.com,Some Body\n'),
};

/** The least of two: what the code itself holds on to comes back, a collection of garbage does not. */
async function longestOfKeeping(content: Buffer): Promise<number> {
  const owner = await buildMember(app.deps.db.manager);
  const { workspaceId } = owner;
  const program = await buildProgram(app.deps.db.manager, { workspaceId });
  const api = await callerOf(app, owner);
  const { path } = await beginImport(app.deps, api, { programId: program.id });
  const key = { programId: program.id, importId: path.split('/').at(-1) ?? newId() };
  const stores = { db: app.deps.db.manager, vault: app.deps.vault };
  const context = {
    scope: { workspaceId, mode: program.mode },
    actor: { type: 'member' as const, id: owner.id },
    now: app.deps.clock.now(),
  };
  const all: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const table = readImportFile(content);
    if (!table) throw new Error('no table');
    const kept = { ...key, kind: 'partners' as const, part: 1, table };
    all.push((await longestStretchOf(() => keepFile(stores, context, kept))).longestMs);
  }
  return Math.min(...all);
}

describe('a file of an import lets others have their turn (imports.md, Files)', () => {
  it.each(Object.entries(files))('%s is kept in short turns', async (_what, content) => {
    expect(inPieces(await longestOfKeeping(content))).toBeLessThan(bound);
  });
});
