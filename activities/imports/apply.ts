import { transaction, type Db, type Tx } from '../../entities/database/sql';
import { findById } from '../../entities/database/find';
import { AppError } from '../../entities/errors';
import { importKinds, type ImportKind } from '../../entities/rules/imports/kinds';
import { firstPlace, type ImportPlace } from '../../entities/rules/imports/place';
import { isExpected, type ExpectedMoney } from '../../entities/rules/imports/report';
import { checkHoldsHours } from '../../entities/rules/imports/status';
import { hourMs } from '../../entities/rules/values/duration';
import { systemActor } from '../../entities/rules/values/actor';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { ImportRow } from '../../entities/tables/imports/import-row.entity';
import { Program } from '../../entities/tables/programs/program.entity';
import type { CommandContext } from '../journal/cause';
import { holdProgramOpen } from '../programs/programs';
import { bookCommissions } from './book/commissions';
import { bookCustomers } from './book/customers';
import { bookGroups, isForGroups } from './book/groups';
import { bookLinks } from './book/links';
import { bookPartners } from './book/partners';
import { lanes, placeIn, workOnBlocks } from './blocks';
import type { Booking } from './book/booking';
import type { Stores } from './check';
import { forgetRead } from './forget';
import {
  auditImport,
  holdForWork,
  keepPlace,
  lockImport,
  moveImport,
  startWork,
  type ImportKey,
} from './imports';
import { noteVerdicts } from './judge/judge-batch';
import { nextRows, type Judged } from './judge/verdict';
import { reportOf } from './report';

/**
 * Asks for the booking of what was checked. IMPORT_NOT_FOUND, PROGRAM_ARCHIVED, IMPORT_INVALID_STATE,
 * IMPORT_CUTOVER_AHEAD; IMPORT_CHANGED for other sums than the report's, or a check older than a day.
 */
export async function applyImport(
  db: Db,
  context: CommandContext,
  { expected, ...key }: ImportKey & { expected: readonly ExpectedMoney[] },
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, key.programId, context.scope);
    const held = await lockImport(tx, context.scope, key);
    const goesOn = held.status === 'stopped';
    const set = goesOn ? { place: held.place } : {};
    await startWork(tx, context, { held, trigger: 'apply', set });
    if (held.cutover > context.now) throw new AppError('IMPORT_CUTOVER_AHEAD');
    if (!isExpected(held.report?.money ?? [], expected)) throw new AppError('IMPORT_CHANGED');
    if (!goesOn && isStale(held, context.now)) throw new AppError('IMPORT_CHANGED');
    await auditImport(tx, context, { importId: held.id, action: 'import.apply_asked' });
  });
}

function isStale({ checkedAt }: Import, now: Date): boolean {
  return checkedAt === null || now.getTime() - checkedAt.getTime() > checkHoldsHours * hourMs;
}

const bookedAtOnce = 500;

/** Books the next rows, and ends a kind, or the import, of which none is left. */
export async function bookNext(stores: Stores, held: Import, now: Date): Promise<void> {
  if (isForGroups(held)) return bookGroups(stores.db, held, now);
  const place = placeIn(held);
  const { kind } = place;
  const isLeft = await workOnBlocks(stores.db, held, {
    place,
    kind,
    size: bookedAtOnce,
    // The first that is told counts of partners, tokens and customers; the rule says which of commissions.
    lanes: kind === 'commissions' ? lanes : 1,
    step: kind,
    total: totalOf(held, kind),
    work: (tx, current, rows) => bookRows(stores, { tx, held: current, now }, { kind, rows }),
  });
  if (!isLeft) await endKind(stores.db, held, now);
}

async function bookRows(
  stores: Stores,
  at: { tx: Tx; held: Import; now: Date },
  { kind, rows }: { kind: ImportKind; rows: readonly ImportRow[] },
): Promise<void> {
  const booking = await bookingOf(stores, at);
  if (!booking) return;
  const good = rows.filter(({ problem, outcome }) => problem === null && outcome !== null);
  await noteVerdicts(at.tx, await book(booking, kind, good));
}

async function endKind(db: Db, held: Import, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const current = await holdForWork(tx, held);
    if (!current) return;
    const { kind, after } = placeIn(current);
    const [left] = await nextRows(tx, { importId: current.id, kind, after, limit: 1 });
    if (!left) await afterLast(tx, current, { kind, now });
  });
}

/** Undefined where its programme is gone meanwhile, by a reset of test data. */
async function bookingOf(
  { vault }: Stores,
  { tx, held, now }: { tx: Tx; held: Import; now: Date },
): Promise<Booking | undefined> {
  const program = await findById(tx, Program, held.programId);
  const { workspaceId, mode } = held;
  const context: CommandContext = { actor: systemActor, now, scope: { workspaceId, mode } };
  return program && { tx, vault, held, program, context };
}

function book(
  booking: Booking,
  kind: ImportKind,
  rows: readonly ImportRow[],
): Promise<Judged<unknown>[]> {
  switch (kind) {
    case 'partners':
      return bookPartners(booking, rows);
    case 'links':
      return bookLinks(booking, rows);
    case 'customers':
      return bookCustomers(booking, rows);
    case 'commissions':
      return bookCommissions(booking, rows);
  }
}

function totalOf({ report }: Import, kind: ImportKind): number | null {
  return report?.kinds.find((counts) => counts.kind === kind)?.read ?? null;
}

async function afterLast(
  tx: Tx,
  held: Import,
  { kind, now }: { kind: ImportKind; now: Date },
): Promise<void> {
  const next = importKinds[importKinds.indexOf(kind) + 1];
  if (next) {
    const place: ImportPlace = { ...firstPlace, kind: next };
    const progress = { step: next, done: 0, total: totalOf(held, next) };
    return keepPlace(tx, held.id, { place, progress });
  }
  const report = await reportOf(tx, held);
  const ended = { report, appliedAt: now, endedAt: now, updatedAt: now };
  await moveImport(tx, held, { trigger: 'book', set: { ...ended, place: null, progress: null } });
  await forgetRead(tx, held.id);
  const { workspaceId, mode } = held;
  const context = { actor: systemActor, now, scope: { workspaceId, mode } };
  await auditImport(tx, context, { importId: held.id, action: 'import.applied' });
}
