import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { Program } from '../../entities/tables/programs/program.entity';
import type { Scope } from '../../entities/rules/values/mode';
import type {
  CommissionRule,
  ProgramStatus,
  ProgramTerms,
} from '../../entities/rules/programs/terms';
import { queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';

/** The fields of a programme that a merchant sets, terms apart. */
export type ProgramSettings = Pick<
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
> & { status: Exclude<ProgramStatus, 'archived'> };

export type NewProgram = Pick<ProgramSettings, 'name' | 'websiteUrl'> &
  Given<ProgramSettings> & { commission: ProgramTerms };

export type ProgramPatch = Given<ProgramSettings> & { commission?: ProgramTerms | undefined };

/** Any of the fields; one that is undefined is as good as absent. */
type Given<T> = { [K in keyof T]?: T[K] | undefined };

/** Contract part 3: only name, websiteUrl and commission have no default. */
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
};

/** Adds a programme to a workspace and mode. */
export async function createProgram(
  db: Db,
  scope: Scope,
  { input, ...cause }: { input: NewProgram } & Cause,
): Promise<Program> {
  const { commission, ...settings } = input;
  const program: Program = {
    id: newId(),
    workspaceId: scope.workspaceId,
    mode: scope.mode,
    ...defaults,
    ...given(settings),
    name: settings.name,
    websiteUrl: settings.websiteUrl,
    ...termsColumns(commission),
    rules: [],
    createdAt: cause.now,
    updatedAt: cause.now,
  };
  return transaction(db, async (tx) => {
    await tx.insert(Program, { ...program });
    await auditProgram(tx, program, { ...cause, action: 'program.created' });
    return program;
  });
}

/**
 * Changes settings; `commission` replaces the terms as a whole. Existing commissions keep the terms
 * that they were made under. PROGRAM_ARCHIVED, PROGRAM_CURRENCY_FIXED.
 */
export async function updateProgram(
  db: Db,
  programId: string,
  { patch, ...cause }: { patch: ProgramPatch } & Cause,
): Promise<Program> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, programId);
    const { commission, ...settings } = patch;
    const changes: Partial<Program> = {
      ...given(settings),
      ...(commission ? termsColumns(commission) : {}),
    };
    if (Object.keys(changes).length === 0) return program;

    await refuseCurrencyChange(tx, program, changes.currency);
    const updated = { ...changes, updatedAt: cause.now };
    await tx.update(Program, { id: programId }, updated);
    await auditProgram(tx, program, { ...cause, action: 'program.updated' });
    return { ...program, ...updated };
  });
}

/** Ends a programme for good. PROGRAM_ARCHIVED when it has ended before. */
export async function archiveProgram(db: Db, programId: string, cause: Cause): Promise<Program> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, programId);
    const updated = { status: 'archived' as const, updatedAt: cause.now };
    await tx.update(Program, { id: programId }, updated);
    await auditProgram(tx, program, { ...cause, action: 'program.archived' });
    return { ...program, ...updated };
  });
}

/** Puts a new list of rules in the place of the old one. PROGRAM_ARCHIVED. */
export async function replaceCommissionRules(
  db: Db,
  programId: string,
  { rules, ...cause }: { rules: CommissionRule[] } & Cause,
): Promise<CommissionRule[]> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, programId);
    await tx.update(Program, { id: programId }, { rules, updatedAt: cause.now });
    await auditProgram(tx, program, { ...cause, action: 'program.rules_replaced' });
    return rules;
  });
}

/**
 * The programme, held open until the end of the transaction: it cannot be archived meanwhile.
 * For whatever adds something to a programme. PROGRAM_ARCHIVED.
 */
export async function holdProgramOpen(tx: Tx, programId: string): Promise<Program> {
  return openProgram(tx, programId, 'pessimistic_read');
}

/**
 * The lock waits for the first commission that is being made (it holds the row), so that a currency
 * change cannot slip in beside it.
 */
async function lockOpenProgram(tx: Tx, programId: string): Promise<Program> {
  return openProgram(tx, programId, 'pessimistic_write');
}

async function openProgram(
  tx: Tx,
  programId: string,
  mode: 'pessimistic_read' | 'pessimistic_write',
): Promise<Program> {
  const program = await tx.findOne(Program, { where: { id: programId }, lock: { mode } });
  if (!program) throw new AppError('PROGRAM_NOT_FOUND');
  if (program.status === 'archived') throw new AppError('PROGRAM_ARCHIVED');
  return program;
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
  program: Program,
  { action, actor, requestId, now }: { action: string } & Cause,
): Promise<void> {
  await recordAudit(tx, {
    workspaceId: program.workspaceId,
    actor,
    action,
    target: { type: 'program', id: program.id },
    requestId,
    at: now,
  });
}
