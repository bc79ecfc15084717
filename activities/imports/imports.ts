import { selectList } from '../../entities/database/columns';
import { insertAll } from '../../entities/database/insert-all';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import {
  execute,
  query,
  queryOne,
  transaction,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { update } from '../../entities/database/update';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Grouping } from '../../entities/rules/imports/groups';
import type { ImportMapping, ImportSource } from '../../entities/rules/imports/kinds';
import {
  importMoves,
  mayMove,
  type ImportStatus,
  type ImportTrigger,
} from '../../entities/rules/imports/status';
import type { Scope } from '../../entities/rules/values/mode';
import { targetOf } from '../../entities/rules/values/moves';
import { Import } from '../../entities/tables/imports/import.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { holdProgramOpen } from '../programs/programs';
import { forgetRead } from './forget';

export interface ImportDraft {
  source: ImportSource;
  /** The system that gave the file its ids; the source's own word unless given. */
  name?: string | undefined;
  cutover: Date;
  /** The programme's unless given. */
  currency?: string | undefined;
  /** Null: all. */
  only?: string[] | null | undefined;
  /** Null: campaigns become no groups. */
  groupBy?: Grouping | null | undefined;
  mapping?: ImportMapping | undefined;
  statuses?: Record<string, string> | undefined;
  credentials?: ImportCredentials | undefined;
}

export interface ImportCredentials {
  apiKey: string;
  accountId?: string | undefined;
}

export type ImportPatch = Partial<
  Pick<ImportDraft, 'cutover' | 'currency' | 'only' | 'groupBy' | 'mapping' | 'statuses'>
>;

export interface ImportKey {
  programId: string;
  importId: string;
}

/** Begins an import. PROGRAM_ARCHIVED, IMPORT_OPEN while another of the programme is open. */
export function createImport(
  { db, vault }: { db: Db; vault: Pick<Vault, 'encrypt'> },
  context: CommandContext,
  { programId, draft }: { programId: string; draft: ImportDraft },
): Promise<Import> {
  const { scope, now } = context;
  return transaction(db, async (tx) => {
    const program = await holdProgramOpen(tx, programId, scope);
    const id = newId();
    const { credentials } = draft;
    const started: Partial<Import> = {
      id,
      workspaceId: scope.workspaceId,
      mode: scope.mode,
      programId,
      source: draft.source,
      name: draft.name ?? draft.source,
      status: 'draft',
      cutover: draft.cutover,
      currency: draft.currency ?? program.currency,
      onlyCampaigns: draft.only ?? null,
      groupBy: draft.groupBy ?? null,
      mapping: draft.mapping ?? {},
      statuses: draft.statuses ?? {},
      credentialsEncrypted: credentials
        ? vault.encrypt(JSON.stringify(credentials), ['imports.credentials', id])
        : null,
      createdAt: now,
      updatedAt: now,
    };
    await insertAll(tx, { into: Import, rows: [started] });
    await auditImport(tx, context, { importId: id, action: 'import.created' });
    return getImport(tx, scope, { programId, importId: id });
  });
}

/** Changes what it takes: it is a draft again. IMPORT_NOT_FOUND, IMPORT_INVALID_STATE. */
export function changeImport(
  db: Db,
  context: CommandContext,
  { patch, ...key }: ImportKey & { patch: ImportPatch },
): Promise<Import> {
  return transaction(db, async (tx) => {
    await holdProgramOpen(tx, key.programId, context.scope);
    const held = await lockImport(tx, context.scope, key);
    await redraft(tx, context, held);
    const { only: onlyCampaigns, ...rest } = patch;
    const all = Object.entries({ ...rest, onlyCampaigns });
    const given = all.filter(([, value]) => value !== undefined);
    if (given.length > 0) {
      await update(tx, Import, { set: Object.fromEntries(given), where: { id: held.id } });
    }
    await auditImport(tx, context, { importId: held.id, action: 'import.changed' });
    return getImport(tx, context.scope, key);
  });
}

/** What was read of it goes, and it waits for a check. The row is locked. IMPORT_INVALID_STATE. */
export async function redraft(
  tx: Tx,
  { now }: Pick<CommandContext, 'now'>,
  held: Import,
): Promise<void> {
  const none = { report: null, error: null, progress: null, place: null, checkedAt: null };
  await moveImport(tx, held, { trigger: 'edit', set: { ...none, updatedAt: now } });
}

/**
 * Ends an import, or stops one that is being booked between two batches. IMPORT_NOT_FOUND,
 * IMPORT_INVALID_STATE.
 */
export async function cancelImport(
  db: Db,
  context: CommandContext,
  key: ImportKey,
): Promise<Import> {
  return transaction(db, async (tx) => {
    const held = await lockImport(tx, context.scope, key);
    const { now } = context;
    const stops = held.status === 'applying';
    await moveImport(tx, held, {
      trigger: stops ? 'stop' : 'cancel',
      set: { updatedAt: now, progress: null, ...(stops ? {} : { endedAt: now }) },
    });
    if (!stops) await forgetRead(tx, held.id);
    const action = stops ? 'import.stopped' : 'import.cancelled';
    await auditImport(tx, context, { importId: held.id, action });
    await wakeImport(tx, context, held.id);
    return getImport(tx, context.scope, key);
  });
}

/** Asks for an import's next work; the workflow does it. The row is locked. */
export async function startWork(
  tx: Tx,
  context: CommandContext,
  { held, trigger, set = {} }: { held: Import; trigger: ImportTrigger; set?: Partial<Import> },
): Promise<void> {
  const { now } = context;
  const started = { startedAt: now, updatedAt: now, error: null, place: null, progress: null };
  await moveImport(tx, held, { trigger, set: { ...started, ...set } });
  await wakeImport(tx, context, held.id);
}

/** The workflow of an import looks at it, and is started where there is none. */
export async function wakeImport(tx: Tx, context: CommandContext, importId: string): Promise<void> {
  const { workspaceId } = context.scope;
  await record(tx, context, { work: [{ topic: 'import', ref: importId, workspaceId }] });
}

/** Moves a locked import by the rule. IMPORT_INVALID_STATE where its status knows no such move. */
export async function moveImport(
  tx: Tx,
  held: Pick<Import, 'id' | 'status'>,
  { trigger, set = {} }: { trigger: ImportTrigger; set?: Partial<Import> },
): Promise<void> {
  if (!mayMove(held.status, trigger)) throw new AppError('IMPORT_INVALID_STATE');
  const status: ImportStatus = targetOf(importMoves, trigger);
  await update(tx, Import, { set: { ...set, status }, where: { id: held.id } });
}

const columns = selectList(Import, 'i');
const ofProgram = 'i.program_id = $1 AND i.workspace_id = $2 AND i.mode = $3';

/** An import of a programme of the scope. IMPORT_NOT_FOUND. */
export function getImport(db: Db, scope: Scope, key: ImportKey): Promise<Import> {
  return findImport(db, scope, { ...key, lock: '' });
}

/** The same under a row lock, until the end of the transaction. */
export function lockImport(tx: Tx, scope: Scope, key: ImportKey): Promise<Import> {
  return findImport(tx, scope, { ...key, lock: 'FOR UPDATE' });
}

async function findImport(
  db: Db,
  { workspaceId, mode }: Scope,
  { programId, importId, lock }: ImportKey & { lock: '' | 'FOR UPDATE' },
): Promise<Import> {
  const found = await queryOne<Import>(
    db,
    `SELECT ${columns} FROM imports AS i WHERE ${ofProgram} AND i.id = $4 ${lock}`,
    [programId, workspaceId, mode, importId],
  );
  if (!found) throw new AppError('IMPORT_NOT_FOUND');
  return found;
}

/** Imports of a programme, newest first. */
export function listImports(
  db: Db,
  { workspaceId, mode }: Scope,
  { programId, ...window }: Window & { programId: string },
): Promise<Found<Import>> {
  const list = {
    columns,
    from: 'imports AS i',
    where: ofProgram,
    params: [programId, workspaceId, mode],
    order: newestFirst('i'),
  };
  return readList(db, list, window);
}

export async function auditImport(
  tx: Tx,
  context: CommandContext,
  { importId, action }: { importId: string; action: string },
): Promise<void> {
  await record(tx, context, { audit: { action, target: { type: 'import', id: importId } } });
}

/** The import by itself, for what works on it; undefined when it is gone. */
export function findForWork(db: Db, importId: string, lock = ''): Promise<Import | undefined> {
  return queryOne<Import>(db, `SELECT ${columns} FROM imports AS i WHERE i.id = $1 ${lock}`, [
    importId,
  ]);
}

/**
 * Locks it for a piece of its work; undefined when its status is another by now. The rows of an import grow
 * faster than the planner learns of them: a batch is looked up by index alone, or one after the other would
 * read all of them.
 */
export async function holdForWork(
  tx: Tx,
  { id, status }: Pick<Import, 'id' | 'status'>,
  lock: 'FOR UPDATE' | 'FOR KEY SHARE' = 'FOR UPDATE',
): Promise<Import | undefined> {
  await query(tx, `SELECT set_config('enable_seqscan', 'off', true)`);
  const held = await findForWork(tx, id, lock);
  return held?.status === status ? held : undefined;
}

/** Whether another of the workspace, asked for earlier, is being worked on. */
export async function isNext(db: Db, { id, workspaceId, startedAt }: Import): Promise<boolean> {
  const other = await queryOne(
    db,
    `SELECT 1 FROM imports AS i
      WHERE i.workspace_id = $1 AND i.status IN ('reading', 'applying', 'undoing')
        AND (i.started_at, i.id) < ($2, $3::uuid) LIMIT 1`,
    [workspaceId, startedAt, id],
  );
  return other === undefined;
}

/** Says that the work goes on behind this place. The row is locked. */
export async function keepPlace(
  tx: Tx,
  id: string,
  set: Pick<Import, 'place' | 'progress'>,
): Promise<void> {
  await execute(tx, 'UPDATE imports SET place = $2, progress = $3 WHERE id = $1', [
    id,
    JSON.stringify(set.place),
    JSON.stringify(set.progress),
  ]);
}
