import { findById } from '../../entities/database/find';
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
import { firstPlace } from '../../entities/rules/imports/place';
import { dailyInvites } from '../../entities/rules/mail/limits';
import { dayMs, minuteMs } from '../../entities/rules/values/duration';
import { systemActor } from '../../entities/rules/values/actor';
import { Import } from '../../entities/tables/imports/import.entity';
import { Program } from '../../entities/tables/programs/program.entity';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { holdProgramOpen } from '../programs/programs';
import { auditImport, findForWork, lockImport, wakeImport, type ImportKey } from './imports';

export interface Announcement extends ImportKey {
  /** The merchant's own words in the mail. */
  message?: string | undefined;
  /** True to count only, and announce nothing. */
  dryRun?: boolean | undefined;
}

/** Partners `p` of an import who were told nothing yet. */
const isUntold = `p.unannounced_since IS NOT NULL AND p.claimed_at IS NULL AND p.erased_at IS NULL`;
const ofImport = `imported_records AS r JOIN participants AS p ON p.id = r.record_id
  WHERE r.import_id = $1 AND r.kind = 'partners' AND r.made`;

/**
 * Tells the partners of an applied import that they are here: a claim mail each, once, as many a day as the
 * workspace may mail. Gives how many are told. IMPORT_NOT_FOUND, PROGRAM_ARCHIVED, IMPORT_INVALID_STATE.
 */
export function announceImport(
  db: Db,
  context: CommandContext,
  { message, dryRun = false, ...key }: Announcement,
): Promise<number> {
  return transaction(db, async (tx) => {
    await holdProgramOpen(tx, key.programId, context.scope);
    const held = await lockImport(tx, context.scope, key);
    if (held.status !== 'applied') throw new AppError('IMPORT_INVALID_STATE');
    const row = await queryOne<{ count: number }>(
      tx,
      `SELECT count(*)::int AS count FROM ${ofImport} AND ${isUntold}`,
      [held.id],
    );
    const count = row?.count ?? 0;
    if (dryRun || saysNothingNew(held, count)) return count;
    const { now } = context;
    const announced = { count: countOf(held, count), at: now.toISOString() };
    const set = { announced, message: message ?? null, place: firstPlace, updatedAt: now };
    await update(tx, Import, { set, where: { id: held.id } });
    await auditImport(tx, context, { importId: held.id, action: 'import.announced' });
    await wakeImport(tx, context, held.id);
    return count;
  });
}

/** All were told before. */
function saysNothingNew({ announced }: Import, count: number): boolean {
  return count === 0 && announced !== null;
}

/**
 * The number to be told. While an announcement is under way it stays: partners who wait for another
 * day's mails were counted in it before.
 */
function countOf(held: Import, count: number): number {
  return isAnnouncing(held) && held.announced ? held.announced.count : count;
}

/** The names of the programme and the workspace that the mail speaks of. */
export async function announcedNames(
  db: Db,
  { programId, workspaceId }: Pick<Import, 'programId' | 'workspaceId'>,
): Promise<{ programName: string; workspaceName: string | null }> {
  const program = await findById(db, Program, programId);
  const workspace = await findById(db, Workspace, workspaceId);
  return { programName: program?.name ?? '', workspaceName: workspace?.name ?? null };
}

const atOnce = 50;
const waitMs = 15 * minuteMs;

/** Whether some of its partners are still to be told. */
export function isAnnouncing({ status, announced, place }: Import): boolean {
  return status === 'applied' && announced !== null && place !== null;
}

/** Tells some more of them; how long to wait before the next, null when all were told. */
export function announceBatch(
  db: Db,
  { held, now, invitesPerDay }: { held: Import; now: Date; invitesPerDay: number },
): Promise<number | null> {
  return transaction(db, async (tx) => {
    const current = await findForWork(tx, held.id, 'FOR UPDATE');
    if (!current || !isAnnouncing(current)) return null;
    const room = await roomOf(tx, current, { now, invitesPerDay });
    if (room <= 0) return waitMs;
    const told = await tell(tx, current, { now, limit: Math.min(room, atOnce) });
    const cursor = told.at(-1)?.key ?? null;
    const place = cursor === null ? null : { ...firstPlace, cursor };
    await update(tx, Import, { set: { place }, where: { id: current.id } });
    return cursor === null ? null : 0;
  });
}

/** How many mails the workspace may send today beside those that are sent, or wait to be. */
async function roomOf(
  tx: Tx,
  { workspaceId, mode }: Import,
  { now, invitesPerDay }: { now: Date; invitesPerDay: number },
): Promise<number> {
  const workspace = await findById(tx, Workspace, workspaceId);
  const max = workspace && dailyInvites(invitesPerDay, workspace.createdAt, now);
  // What test mode keeps back never leaves.
  if (max === undefined || mode === 'test') return atOnce;
  const row = await queryOne<{ count: number }>(
    tx,
    `SELECT (SELECT count(*)::int FROM mail_counts WHERE counter = $1 AND counted_at > $2)
          + (SELECT count(*)::int FROM mails WHERE workspace_id = $3 AND status = 'queued'
              AND type = 'partner.added' AND created_at > $2) AS count`,
    [`invites/${workspaceId}`, new Date(now.getTime() - dayMs), workspaceId],
  );
  return max - (row?.count ?? 0);
}

interface Told {
  key: string;
  id: string;
  email: string;
}

async function tell(
  tx: Tx,
  { id, programId, workspaceId, mode, message, place }: Import,
  { now, limit }: { now: Date; limit: number },
): Promise<Told[]> {
  const partners = await query<Told>(
    tx,
    `SELECT r.their_key AS key, p.id, p.partner_email AS email FROM ${ofImport} AND ${isUntold}
        AND ($2::text IS NULL OR r.their_key > $2)
      ORDER BY r.their_key LIMIT ${limit} FOR UPDATE OF p`,
    [id, place?.cursor ?? null],
  );
  const names = await announcedNames(tx, { programId, workspaceId });
  await execute(
    tx,
    'UPDATE participants SET unannounced_since = NULL, updated_at = $2 WHERE id = ANY ($1::uuid[])',
    [partners.map((partner) => partner.id), now],
  );
  const told = { programId, ...names, ...(message === null ? {} : { message }) };
  const scope = { workspaceId, mode };
  await record(
    tx,
    { actor: systemActor, now, scope },
    {
      mails: partners.map(({ id: participantId, email }) => ({
        type: 'partner.added' as const,
        to: { side: 'partner' as const, address: email },
        scope,
        params: { participantId, ...told },
      })),
    },
  );
  return partners;
}
