import { createHash } from 'node:crypto';
import { findOne } from '../../entities/database/find';
import {
  boundedTransaction,
  query,
  queryOne,
  rowsAtOnce,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { Program } from '../../entities/tables/programs/program.entity';
import type { CommandContext } from '../journal/cause';
import { enqueue } from '../journal/outbox';
import { notify } from '../notifications/notify';

/** An edit may be taken back, or go on: partners are told what is left of it. */
const waitMs = 10 * 60_000;

/** What partners are told of a programme's least payout. */
export interface RaisedMinimum {
  programId: string;
  /** The minimum before the edit, in minor units of the programme's currency. */
  formerlyCents: number;
  /** The last participant who was told; absent at first. */
  after?: string | undefined;
  causeId?: string | undefined;
}

/** Notes, in the transaction of an edit, that the least payout was raised: the partners are to be told. */
export async function noteRaisedMinimum(
  tx: Tx,
  context: CommandContext,
  { before, after }: { before: Program; after: Program },
): Promise<void> {
  if (after.minPayoutCents <= before.minPayoutCents) return;
  const raised = { programId: before.id, formerlyCents: before.minPayoutCents };
  const availableAt = new Date(context.now.getTime() + waitMs);
  await enqueueRaised(tx, context, { ...raised, availableAt });
}

/**
 * Tells a page of the approved partners, and leaves the next to the relay. Nothing is told of what was
 * taken back meanwhile, and one amount once a day, however many edits led to it.
 */
export async function tellRaisedMinimum(
  db: Db,
  context: CommandContext,
  raised: RaisedMinimum,
): Promise<void> {
  const { programId } = raised;
  const { workspaceId, mode } = context.scope;
  await boundedTransaction(db, async (tx) => {
    const formerlyCents = raised.after
      ? raised.formerlyCents
      : await firstFormerly(tx, context, raised);
    const where = { id: programId, workspaceId, mode };
    const program = await findOne(tx, Program, { where, lock: 'SHARE' });
    if (!program || program.status === 'archived' || program.minPayoutCents <= formerlyCents)
      return;
    const causeId = raised.causeId ?? causeOfDay(program, context.now);
    const page = await query<{ id: string; partnerId: string }>(tx, pageSql, [
      programId,
      raised.after ?? null,
    ]);
    const { currency } = program;
    const facts = {
      programName: program.name,
      amount: { amountCents: program.minPayoutCents, currency },
      formerly: { amountCents: formerlyCents, currency },
    };
    await notify(
      tx,
      context,
      page.map(({ id, partnerId }) => ({
        side: 'partner' as const,
        type: 'program.terms_changed' as const,
        ...{ feedId: partnerId, workspaceId, mode, participantId: id, causeId },
        data: { programId, participantId: id },
        facts,
      })),
    );
    const last = page.length === rowsAtOnce ? page.at(-1)?.id : undefined;
    if (!last) return;
    const next = { programId, formerlyCents, after: last, causeId, availableAt: context.now };
    await enqueueRaised(tx, context, next);
  });
}

/**
 * The least payout before all edits that are due. Behind a stall several are due at once, in no
 * order, and only the first to come is told. Each stays in the outbox until it is done.
 */
async function firstFormerly(
  tx: Tx,
  { scope: { workspaceId }, now }: CommandContext,
  { programId, formerlyCents }: RaisedMinimum,
): Promise<number> {
  const row = await queryOne<{ least: number | null }>(
    tx,
    `SELECT min((payload->>'formerlyCents')::bigint) AS least FROM outbox
      WHERE topic = 'terms_changed' AND workspace_id = $1 AND ref = $2 AND available_at <= $3
        AND NOT payload ? 'after'`,
    [workspaceId, programId, now],
  );
  return Math.min(formerlyCents, row?.least ?? formerlyCents);
}

/**
 * A page of the partners who have claimed their participation: one who was only added by a server
 * has no feed to read yet.
 */
const pageSql = `
  SELECT id, partner_id AS "partnerId" FROM participants
   WHERE program_id = $1 AND status = 'approved' AND erased_at IS NULL AND claimed_at IS NOT NULL
     AND ($2::uuid IS NULL OR id > $2)
   ORDER BY id LIMIT ${rowsAtOnce}`;

async function enqueueRaised(
  tx: Tx,
  { scope: { workspaceId, mode }, requestId }: CommandContext,
  { programId: ref, availableAt, ...told }: RaisedMinimum & { availableAt: Date },
): Promise<void> {
  const payload = { mode, ...told };
  await enqueue(tx, { topic: 'terms_changed', ref, workspaceId, requestId, payload, availableAt });
}

/** The same id for the same amount of the same day: a notice of one cause is written once. */
function causeOfDay({ id, minPayoutCents }: Program, now: Date): string {
  const told = `${id} ${minPayoutCents} ${now.toISOString().slice(0, 10)}`;
  const hex = createHash('sha256').update(told).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
