import { newId } from '../../entities/ids';
import { findOne } from '../../entities/database/find';
import {
  boundedTransaction,
  query,
  queryOne,
  rowsAtOnce,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { update } from '../../entities/database/update';
import type { ProgramOffer } from '../../entities/rules/commissions/sale-terms';
import { toldTerms } from '../../entities/rules/programs/told-terms';
import { dayMs } from '../../entities/rules/values/duration';
import { Program } from '../../entities/tables/programs/program.entity';
import type { CommandContext } from '../journal/cause';
import { enqueue } from '../journal/outbox';
import { notify } from '../notifications/notify';
import { offerOf } from './former-terms';

/** An edit may be taken back, or go on: partners are told what is left of it. */
const waitMs = 10 * 60_000;

/** Partners who are to be told of edits of terms, since the first of them. */
export interface TermsEdit {
  programId: string;
  /** ISO: what was offered until then is what partners know. */
  since: string;
  /** The last participant who was told; absent at first. */
  after?: string | undefined;
  causeId?: string | undefined;
}

/**
 * Notes an edit of the terms in its transaction, which holds the programme's row: the partners are
 * told ten minutes after the last edit, and at most once a day.
 */
export async function noteTermsEdit(
  tx: Tx,
  context: CommandContext,
  { id: programId, termsToldAt }: Pick<Program, 'id' | 'termsToldAt'>,
): Promise<void> {
  const { now, scope } = context;
  const waiting = await queryOne<{ since: string }>(
    tx,
    `DELETE FROM outbox
      WHERE topic = 'terms_edited' AND workspace_id = $1 AND ref = $2 AND NOT payload ? 'after'
      RETURNING payload->>'since' AS since`,
    [scope.workspaceId, programId],
  );
  const soonest = now.getTime() + waitMs;
  const nextDay = termsToldAt === null ? 0 : termsToldAt.getTime() + dayMs;
  const availableAt = new Date(Math.max(soonest, nextDay));
  const since = waiting?.since ?? now.toISOString();
  await enqueueEdit(tx, context, { programId, since, availableAt });
}

/** Tells a page of the approved partners for whom something is another than before. */
export async function tellTermsEdit(
  db: Db,
  context: CommandContext,
  edit: TermsEdit,
): Promise<void> {
  const { programId } = edit;
  const { workspaceId, mode } = context.scope;
  await boundedTransaction(db, async (tx) => {
    const where = { id: programId, workspaceId, mode };
    const program = await findOne(tx, Program, { where, lock: 'UPDATE' });
    if (!program || program.status === 'archived') return;
    const before = await offeredBefore(tx, edit);
    // Nothing is left of the edit.
    if (!before) return;
    const after = await offerOf(tx, program);
    const causeId = edit.causeId ?? newId();
    const page = await query<Told>(tx, pageSql, [programId, edit.after ?? null]);
    const concerned = page.flatMap((partner) => toldOf(partner, { before, after }));
    await notify(
      tx,
      context,
      concerned.map(({ participantId, partnerId, formerTerms, terms }) => ({
        side: 'partner' as const,
        type: 'program.terms_changed' as const,
        ...{ feedId: partnerId, workspaceId, mode, participantId, causeId },
        data: { programId, participantId },
        facts: { programName: program.name, formerTerms, terms },
      })),
    );
    if (concerned.length > 0) {
      await update(tx, Program, { set: { termsToldAt: context.now }, where: { id: programId } });
    }
    const last = page.length === rowsAtOnce ? page.at(-1)?.participantId : undefined;
    if (!last) return;
    const next = { programId, since: edit.since, after: last, causeId };
    await enqueueEdit(tx, context, { ...next, availableAt: context.now });
  });
}

interface Told {
  participantId: string;
  partnerId: string;
  groupId: string;
}

function toldOf(
  partner: Told,
  { before, after }: { before: ProgramOffer; after: ProgramOffer },
): (Told & { formerTerms: string[]; terms: string[] })[] {
  // Members of a group that was not there yet were told when they were moved.
  const groups = before.groups ?? [];
  const isKnown = groups.length === 0 || groups.some(({ id }) => id === partner.groupId);
  const formerTerms = toldTerms(before, partner);
  const terms = toldTerms(after, partner);
  const isSame = formerTerms.join('\n') === terms.join('\n');
  return isKnown && !isSame ? [{ ...partner, formerTerms, terms }] : [];
}

/** The terms before the first edit that partners have not heard of. */
async function offeredBefore(
  tx: Tx,
  { programId, since }: TermsEdit,
): Promise<ProgramOffer | null> {
  const row = await queryOne<{ terms: ProgramOffer }>(
    tx,
    `SELECT terms FROM former_terms WHERE program_id = $1 AND held_until >= $2::timestamptz
      ORDER BY held_until LIMIT 1`,
    [programId, since],
  );
  return row?.terms ?? null;
}

/**
 * A page of the partners who have claimed their participation: one who was only added by a server
 * has no feed to read yet.
 */
const pageSql = `
  SELECT id AS "participantId", partner_id AS "partnerId",
         coalesce(group_id, program_id) AS "groupId"
    FROM participants
   WHERE program_id = $1 AND status = 'approved' AND erased_at IS NULL AND claimed_at IS NOT NULL
     AND ($2::uuid IS NULL OR id > $2)
   ORDER BY id LIMIT ${rowsAtOnce}`;

async function enqueueEdit(
  tx: Tx,
  { scope: { workspaceId, mode }, requestId }: CommandContext,
  { programId: ref, availableAt, ...edit }: TermsEdit & { availableAt: Date },
): Promise<void> {
  const payload = { mode, ...edit };
  await enqueue(tx, { topic: 'terms_edited', ref, workspaceId, requestId, payload, availableAt });
}
