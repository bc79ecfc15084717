import { updateFraudRules } from '../../../activities/programs/fraud-settings';
import {
  archiveProgram,
  replaceCommissionRules,
  updateProgram,
} from '../../../activities/programs/programs';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Db } from '../../../entities/database/sql';
import { Program } from '../../../entities/tables/programs/program.entity';
import { buildProgram } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';
import { oneRow } from '../../support/rows';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const context = (scope: Scope) => ({ scope, actor: systemActor, now: new Date() });
const otherScopes = [
  ['another workspace', ({ mode }: Scope) => ({ workspaceId: newId(), mode })],
  ['the other mode', ({ workspaceId }: Scope) => ({ workspaceId, mode: 'live' as const })],
] as const;

describe.each(otherScopes)('a command from %s', (_name, otherThan) => {
  it.each([
    [
      'updateProgram',
      (scope: Scope, programId: string) =>
        updateProgram(db, context(scope), { programId, patch: { name: 'Taken' } }),
    ],
    [
      'archiveProgram',
      (scope: Scope, programId: string) => archiveProgram(db, context(scope), { programId }),
    ],
    [
      'replaceCommissionRules',
      (scope: Scope, programId: string) =>
        replaceCommissionRules(db, context(scope), { programId, rules: [] }),
    ],
    [
      'updateFraudRules',
      (scope: Scope, programId: string) =>
        updateFraudRules(db, context(scope), { programId, changes: [] }),
    ],
  ])('finds no programme to %s', async (_command, run) => {
    const program = await buildProgram(db, { mode: 'test' });
    const asBefore = await oneRow(db, Program, { id: program.id });

    const other = otherThan(program);
    await expect(run(other, program.id)).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });

    expect(await oneRow(db, Program, { id: program.id })).toEqual(asBefore);
  });
});
