import { findOne } from '../../entities/database/find';
import { update } from '../../entities/database/update';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import { Program } from '../../entities/tables/programs/program.entity';
import { groupsNamed } from '../../entities/rules/programs/groups';
import { saleTermsOf } from '../../entities/rules/commissions/sale-terms';
import type { Scope } from '../../entities/rules/values/mode';
import type {
  CommissionRule,
  ProgramStatus,
  ProgramTerms,
} from '../../entities/rules/programs/terms';
import { queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { keepFormerTerms, offerOf } from './former-terms';
import { defaultGroupRow, refuseUnknownGroups } from './group-rows';
import { noteTermsEdit } from './terms-edits';
import { noteRaisedMinimum } from './raised-minimum';

/** The fields of a programme that a merchant sets, terms apart. */
type ProgramSettings = Pick<
  Program,
  | 'name'
  | 'websiteUrl'
  | 'description'
  | 'currency'
  | 'attributionWindowDays'
  | 'approvalMode'
  | 'publicApplications'
  | 'holdDays'
  | 'autoApprove'
  | 'acceptedCurrencies'
  | 'reviewAboveCents'
  | 'minPayoutCents'
  | 'salesFrom'
  | 'bannedSources'
> & { status: Exclude<ProgramStatus, 'archived'> };

export type NewProgram = Pick<ProgramSettings, 'name' | 'websiteUrl'> &
  Given<ProgramSettings> & { commission: ProgramTerms };

export type ProgramPatch = Given<ProgramSettings> & { commission?: ProgramTerms | undefined };

/** Any of the fields; one that is undefined is as good as absent. */
type Given<T> = { [K in keyof T]?: T[K] | undefined };

/** Settings that a new programme need not name: all but name, websiteUrl and commission. */
const defaults: Omit<ProgramSettings, 'name' | 'websiteUrl'> = {
  description: null,
  currency: 'usd',
  status: 'active',
  attributionWindowDays: 30,
  approvalMode: 'manual',
  publicApplications: true,
  holdDays: 30,
  autoApprove: true,
  acceptedCurrencies: [],
  reviewAboveCents: null,
  minPayoutCents: 0,
  salesFrom: 'both',
  bannedSources: [],
};

/** Adds a programme to a workspace and mode. */
export async function createProgram(
  db: Db,
  context: CommandContext,
  command: NewProgram,
): Promise<Program> {
  const { commission, ...settings } = command;
  const program: Program = {
    id: newId(),
    workspaceId: context.scope.workspaceId,
    mode: context.scope.mode,
    ...defaults,
    ...given(settings),
    name: settings.name,
    websiteUrl: settings.websiteUrl,
    ...termsColumns(commission),
    rules: [],
    termsToldAt: null,
    createdAt: context.now,
    updatedAt: context.now,
  };
  return transaction(db, async (tx) => {
    await insertAll(tx, { into: Program, rows: [program] });
    await insertAll(tx, { into: ProgramGroup, rows: [defaultGroupRow(program)] });
    await auditProgram(tx, context, { programId: program.id, action: 'program.created' });
    return program;
  });
}

/**
 * Changes settings; `commission` replaces the terms as a whole. Existing commissions keep the terms
 * that they were made under; a least payout that is raised is told to the partners.
 * PROGRAM_ARCHIVED, PROGRAM_CURRENCY_FIXED.
 */
export async function updateProgram(
  db: Db,
  context: CommandContext,
  { programId, patch, notify = true }: { programId: string; patch: ProgramPatch; notify?: boolean },
): Promise<Program> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const { commission, ...settings } = patch;
    const changes: Partial<Program> = {
      ...given(settings),
      ...(commission ? termsColumns(commission) : {}),
    };
    if (Object.keys(changes).length === 0) return program;

    await refuseCurrencyChange(tx, program, changes.currency);
    const after = await writeProgram(tx, context, {
      ...{ program, changes, notify },
      action: 'program.updated',
    });
    await noteRaisedMinimum(tx, context, { before: program, after });
    return after;
  });
}

/** Ends a programme for good. PROGRAM_ARCHIVED when it has ended before. */
export async function archiveProgram(
  db: Db,
  context: CommandContext,
  { programId }: { programId: string },
): Promise<Program> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const changes = { status: 'archived' } as const;
    return writeProgram(tx, context, { program, changes, action: 'program.archived' });
  });
}

/**
 * Puts a new list of rules in the place of the old one. PROGRAM_ARCHIVED; VALIDATION_ERROR for one that names a
 * group that the programme does not have.
 */
export async function replaceCommissionRules(
  db: Db,
  context: CommandContext,
  {
    programId,
    rules,
    notify = true,
  }: { programId: string; rules: CommissionRule[]; notify?: boolean },
): Promise<CommissionRule[]> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    await refuseUnknownGroups(tx, program, groupsNamed(rules));
    await writeProgram(tx, context, {
      program,
      changes: { rules },
      notify,
      action: 'program.rules_replaced',
    });
    return rules;
  });
}

/**
 * Locks the programme until the end of the transaction, so that it cannot be archived while something
 * is added to it. PROGRAM_NOT_FOUND, PROGRAM_ARCHIVED.
 */
export async function holdProgramOpen(tx: Tx, programId: string, scope: Scope): Promise<Program> {
  return requireOpen(await holdProgram(tx, programId, scope));
}

/**
 * The same for a change of something below it, which may be unknown: that comes before `requireOpen`.
 * PROGRAM_NOT_FOUND.
 */
export function holdProgram(tx: Tx, programId: string, scope: Scope): Promise<Program> {
  const { workspaceId, mode } = scope;
  return lockedProgram(tx, { id: programId, workspaceId, mode }, 'SHARE');
}

/** PROGRAM_ARCHIVED. */
export function requireOpen(program: Program): Program {
  if (program.status === 'archived') throw new AppError('PROGRAM_ARCHIVED');
  return program;
}

/**
 * The lock waits for the first commission that is being made (it holds the row), so that a currency
 * change cannot slip in beside it.
 */
export async function lockOpenProgram(tx: Tx, scope: Scope, programId: string): Promise<Program> {
  const { workspaceId, mode } = scope;
  return requireOpen(await lockedProgram(tx, { id: programId, workspaceId, mode }, 'UPDATE'));
}

async function lockedProgram(
  tx: Tx,
  where: { id: string } & Scope,
  lock: 'SHARE' | 'UPDATE',
): Promise<Program> {
  const program = await findOne(tx, Program, { where, lock });
  if (!program) throw new AppError('PROGRAM_NOT_FOUND');
  return program;
}

interface Written {
  program: Program;
  changes: Partial<Program>;
  action: string;
  /** Partners are told of terms that change. */
  notify?: boolean;
}

/** Changes a locked programme, which is returned as it is then; what it offered until now is kept. */
async function writeProgram(
  tx: Tx,
  context: CommandContext,
  { program, changes, action, notify = true }: Written,
): Promise<Program> {
  const updated = { ...changes, updatedAt: context.now };
  const after = { ...program, ...updated };
  await update(tx, Program, { set: updated, where: { id: program.id } });
  const before = await offerOf(tx, program);
  const offers = { before, after: { ...before, ...saleTermsOf(after) } };
  const isKept = await keepFormerTerms(tx, { program, ...offers, now: context.now });
  if (isKept && notify) await noteTermsEdit(tx, context, program);
  await auditProgram(tx, context, { programId: program.id, action });
  return after;
}

async function refuseCurrencyChange(
  tx: Tx,
  program: Program,
  currency: string | undefined,
): Promise<void> {
  if (currency === undefined || currency === program.currency) return;
  const commission = await queryOne(tx, 'SELECT 1 FROM commissions WHERE program_id = $1 LIMIT 1', [
    program.id,
  ]);
  if (commission) throw new AppError('PROGRAM_CURRENCY_FIXED');
}

function termsColumns(
  terms: ProgramTerms,
): Pick<
  Program,
  'commissionType' | 'rateBps' | 'amountCents' | 'basis' | 'recurring' | 'recurringMonths'
> {
  const { type, ...columns } = terms;
  return { commissionType: type, ...columns };
}

function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

async function auditProgram(
  tx: Tx,
  context: CommandContext,
  { programId, action }: { programId: string; action: string },
): Promise<void> {
  await record(tx, context, { audit: { action, target: { type: 'program', id: programId } } });
}
