import { selectList } from '../../../entities/database/columns';
import { queryOne, transaction } from '../../../entities/database/sql';
import { billerNames } from '../../../entities/rules/billing/biller';
import {
  codeShapeProblem,
  noteOfMade,
  stepFor,
  type BillerCodeStatus,
} from '../../../entities/rules/billing/codes';
import { dayMs } from '../../../entities/rules/values/duration';
import { BillerCode } from '../../../entities/tables/billing/biller-code.entity';
import type { Deps } from '../../../runtime/process/deps';
import { systemCause } from '../../journal/cause';
import { record } from '../../journal/record';
import {
  accountOf,
  findConnection,
  scopeOf,
  type ConnectionRecord,
} from '../connection/connection';
import { saveDiscounts } from '../events/discounts';
import { awaitRead, usualReadGapMs } from '../events/pace';
import type { BillerCodes } from '../reader';
import { readerOf } from '../readers';

/** `gone` when the row was deleted meanwhile. */
export type CodeState = BillerCodeStatus | 'gone';

interface Outcome {
  status: 'made' | 'failed' | 'deleted';
  externalId?: string;
  message?: string | null;
}

type CodeDeps = Pick<Deps, 'db' | 'config' | 'vault' | 'clock'>;

const columns = selectList(BillerCode, 'c');

/** A code that a biller has not answered for so long counts as failed; it can be asked for again. */
const patienceMs = dayMs;

/**
 * Brings a code to what it should be at its biller, or says that it is to be tried again. Whatever the row
 * says now counts: a code that was taken away meanwhile is switched off. Talks to the network: never inside
 * a transaction.
 */
export async function attemptCode(deps: CodeDeps, codeId: string): Promise<CodeState | 'again'> {
  const row = await queryOne<BillerCode>(
    deps.db.manager,
    `SELECT ${columns} FROM biller_codes AS c WHERE c.id = $1`,
    [codeId],
  );
  if (!row) return 'gone';
  if (row.status !== 'pending') return row.status;
  const connection = await findConnection(deps.db.manager, scopeOf(row), row.biller);
  const outcome = await outcomeOf(deps, row, connection);
  if (outcome === 'again') return 'again';
  return settle(deps, { row, outcome, connectionId: connection?.id });
}

async function outcomeOf(
  deps: CodeDeps,
  row: BillerCode,
  connection: ConnectionRecord | undefined,
): Promise<Outcome | 'again'> {
  const { biller, removedAt, code } = row;
  const name = billerNames[biller];
  const shape = codeShapeProblem(biller, code);
  if (shape !== null) return removedAt === null ? failed(shape) : { status: 'deleted' };
  if (!connection || connection.restrictedKey === null) {
    return failed(`${name} is not connected with a key: put one, then sync the code.`);
  }
  if (removedAt === null && (await isOlderThere(deps, row))) return 'again';
  const { codes } = accountOf(deps, { ...connection, restrictedKey: connection.restrictedKey });
  // The call asks and then changes: two requests or three.
  await awaitRead(deps.db.manager, connection.id, 3 * usualReadGapMs);
  try {
    return removedAt === null ? await made(codes, row) : await switchedOff(codes, row);
  } catch (error) {
    const { permission } = codes;
    return afterFailure(row, { error, permission, now: deps.clock.now() });
  }
}

function afterFailure(
  { biller, removedAt, askedAt }: BillerCode,
  { error, permission, now }: { error: unknown; permission: string; now: Date },
): Outcome | 'again' {
  const name = billerNames[biller];
  const failure = readerOf(biller).failureOf(error);
  if (failure === 'refused') {
    return failed(`${name} does not let the stored key do this: it needs ${permission}.`);
  }
  if (failure === 'missing') return failed(`${name} refused the code in this form.`);
  const isOver = now.getTime() - askedAt.getTime() > patienceMs;
  return isOver && removedAt === null ? failed(`${name} did not answer for a day.`) : 'again';
}

const failed = (message: string): Outcome => ({ status: 'failed', message });

async function made(
  codes: BillerCodes,
  { id: codeId, code, discount, biller, askedAt }: BillerCode,
): Promise<Outcome> {
  const step = stepFor(discount, await codes.find({ code, codeId }));
  if (step.do === 'fail') {
    return failed(`${billerNames[biller]} has this code with another discount.`);
  }
  const wanted = { code, codeId, discount, askedAt };
  const externalId = step.do === 'take up' ? step.id : await codes.make(wanted);
  // Counts as no answer: without its id it could never be switched off.
  if (externalId === '') throw new Error('The biller made a code and did not name it.');
  return { status: 'made', externalId, message: noteOfMade(biller, discount) };
}

/** One whose answer got lost is known by the row that it was made for. */
async function switchedOff(
  codes: BillerCodes,
  { id: codeId, code, externalId }: BillerCode,
): Promise<Outcome> {
  const found = externalId === null ? await codes.find({ code, codeId }) : [];
  const ids = externalId === null ? found.flatMap((o) => (o.isOurs ? [o.id] : [])) : [externalId];
  for (const id of ids) await codes.switchOff(id);
  return { status: 'deleted', message: null };
}

/** A code of this text that was taken away is switched off before another of it is made. */
async function isOlderThere({ db }: CodeDeps, row: BillerCode): Promise<boolean> {
  const { workspaceId, mode, code, biller, id } = row;
  const older = await queryOne(
    db.manager,
    `SELECT 1 FROM biller_codes WHERE workspace_id = $1 AND mode = $2 AND code = $3 AND biller = $4
        AND id <> $5 AND removed_at IS NOT NULL AND status = 'pending' LIMIT 1`,
    [workspaceId, mode, code, biller, id],
  );
  return older !== undefined;
}

interface Settled {
  row: BillerCode;
  outcome: Outcome;
  connectionId: string | undefined;
}

/** What was asked for meanwhile stays asked for: only what the biller calls it is noted then. */
async function settle(
  { db, clock }: CodeDeps,
  { row, outcome, connectionId }: Settled,
): Promise<CodeState> {
  const { status, externalId = null, message = null } = outcome;
  const now = clock.now();
  return transaction(db, async (tx) => {
    const after = await queryOne<{ status: BillerCodeStatus }>(
      tx,
      `UPDATE biller_codes
          SET external_id = coalesce($2, external_id), updated_at = $5,
              status = CASE WHEN removed_at IS NOT DISTINCT FROM $6 AND asked_at = $7
                            THEN $3 ELSE status END,
              message = CASE WHEN removed_at IS NOT DISTINCT FROM $6 AND asked_at = $7
                             THEN $4 ELSE message END
        WHERE id = $1 AND workspace_id = $8 AND mode = $9 RETURNING status`,
      [
        ...[row.id, externalId, status, message, now, row.removedAt, row.askedAt],
        ...[row.workspaceId, row.mode],
      ],
    );
    if (!after) return 'gone';
    const context = { ...systemCause(now), scope: scopeOf(row) };
    if (externalId !== null && connectionId !== undefined) {
      const discounts = [{ id: externalId, code: row.code, toldAt: now.toISOString() }];
      await saveDiscounts(tx, context, { biller: row.biller, connectionId, discounts });
    }
    const target = { type: 'participant', id: row.participantId };
    await record(tx, context, { audit: { action: `promo_code.${status}_at_biller`, target } });
    return after.status;
  });
}
