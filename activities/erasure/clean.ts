import { copies, type Copy } from '../../entities/rules/erasure/copies';
import { identifyingTexts } from '../../entities/rules/erasure/identity';
import {
  type Db,
  execute,
  query,
  rowsAtOnce,
  transaction,
  type Tx,
} from '../../entities/database/sql';
import { loginKey } from '../accounts/login';
import { eraseFromFiles } from '../imports/erase-from-files';
import { erasedTokenKey } from '../partners/referral-tokens';
import type { Erasure } from '../../entities/tables/erasure/erasure.entity';
import type { Deps } from '../../runtime/process/deps';
import type { Vault } from '../../runtime/crypto/vault';
import { countChange } from './receipts';
import type { ScanCursor } from './scans/place';
import { scanWorkspace } from './scans/scans';
import { cleaning, type CopyParams } from './statements';
import { clearTracesOfUnclaimed } from './unclaimed';
import { identityOf, type Participation } from './subject';

export type CleanDeps = Pick<Deps, 'db' | 'vault'>;

/** What is cleaned at a time: one participation, or, without one, the account itself. */
export interface Part {
  erasure: Erasure;
  participation: Participation | null;
  /** Participations whose workspace is searched with this one; none: another one's search does it. */
  together?: readonly string[];
  /** Texts are searched only as far as they were written since then. */
  since?: Date | null;
}

export async function paramsOf(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt' | 'contactHash'> },
  { erasure, participation }: Part,
): Promise<CopyParams> {
  const { emails } = await identityOf({ db, vault }, erasure.id);
  const of = participation && {
    participant: participation.id,
    program: participation.programId,
    workspace: participation.workspaceId,
    mode: participation.mode,
  };
  return {
    ...of,
    partner: participation?.partnerId ?? erasure.subjectId,
    emails,
    emailKeys: emails.map((email) => loginKey(vault, 'partner', email)),
    addressHashes: emails.map((email) => vault.contactHash(email)),
    at: erasure.erasedAt,
  };
}

/** Overwrites the rows that are the person, all in the given transaction. */
export async function cleanPivot(tx: Tx, part: Part, params: CopyParams): Promise<void> {
  for (const copy of copiesOf(part).filter(({ isPivot }) => isPivot === true)) {
    await cleanBatch(tx, { part, copy, params, after: null });
  }
}

/** Where the next call goes on: past the tables named by ids, then through the texts. */
export interface CleanCursor {
  copy: number;
  scan: ScanCursor | null;
}

export const cleanStart: CleanCursor = { copy: 0, scan: null };

/**
 * Cleans copies in batches, each a transaction, until all are clean (null) or `until` is past. Any
 * part of it may be done again: what is clean is not touched.
 */
export async function cleanCopies(
  deps: CleanDeps,
  part: Part,
  { from, until }: { from: CleanCursor; until: () => boolean },
): Promise<CleanCursor | null> {
  const stores = { db: deps.db.manager, vault: deps.vault };
  const params = await paramsOf(stores, part);
  const own = copiesOf(part);
  for (let index = from.copy; index < own.length; index += 1) {
    const copy = own[index] as Copy;
    const isDone = await cleanTable(deps, { part, copy, params, until });
    if (!isDone || until()) return { copy: isDone ? index + 1 : index, scan: null };
  }
  const { participation, together, since = null } = part;
  await cleanFilesOfImports(deps, { part, params });
  if (!participation) return null;
  await cleanUnclaimed(deps, params);
  const participantIds = together ?? [participation.id];
  if (participantIds.length === 0) return null;

  const identifying = identifyingTexts(await identityOf(stores, part.erasure.id));
  const place = { erasure: part.erasure, participation, participantIds, since };
  const scan = await scanWorkspace(deps, { ...place, identifying }, { from: from.scan, until });
  return scan && { copy: own.length, scan };
}

/** Rows of uploaded files that name one of the person's addresses. */
async function cleanFilesOfImports(
  { db, vault }: CleanDeps,
  { part, params }: { part: Part; params: CopyParams },
): Promise<void> {
  const { emails, program = null } = params;
  await transaction(db, async (tx) => {
    const rows = await eraseFromFiles({ tx, vault }, { emails, programId: program });
    const of = { erasureId: part.erasure.id, participantId: part.participation?.id ?? null };
    await countChange(tx, of, { table: 'import_chunks', rows });
  });
}

function cleanUnclaimed({ db }: CleanDeps, { partner, emails, at }: CopyParams): Promise<void> {
  return transaction(db, (tx) => clearTracesOfUnclaimed(tx, { partnerId: partner, emails, at }));
}

function copiesOf({ participation }: Part): Copy[] {
  return copies.filter((copy) => copy.of === (participation ? 'participant' : 'account'));
}

interface Cleaning {
  part: Part;
  copy: Copy;
  params: CopyParams;
}

async function cleanTable(
  deps: CleanDeps,
  { until, ...work }: Cleaning & { until: () => boolean },
): Promise<boolean> {
  let after: string[] | null = null;
  for (;;) {
    const from: string[] | null = after;
    const last: string[] | null = await transaction(deps.db, (tx) =>
      work.copy.table === 'referral_tokens'
        ? hashTokens({ db: tx, vault: deps.vault }, work)
        : cleanBatch(tx, { ...work, after: from }),
    );
    if (last === null) return true;
    if (until()) return false;
    after = last;
  }
}

/** One batch; returns the key of its last row, or null when there was none. */
async function cleanBatch(
  tx: Tx,
  { part, copy, params, after }: Cleaning & { after: readonly string[] | null },
): Promise<string[] | null> {
  // History is append-only for everyone else.
  await execute(tx, `SET LOCAL app.purge = 'on'`);
  const statement = cleaning(copy, params, { after, limit: rowsAtOnce });
  const [row] = await query<{ changed: number; last: string[] | null }>(
    tx,
    statement.text,
    statement.params,
  );
  await execute(tx, `SET LOCAL app.purge = 'off'`);
  await note(tx, part, { table: copy.table, rows: row?.changed ?? 0 });
  return row?.last ?? null;
}

/** Codes stay taken, as keyed hashes that lead nowhere. */
async function hashTokens(
  { db: tx, vault }: { db: Tx; vault: Pick<Vault, 'contactHash'> },
  { part, params }: Cleaning,
): Promise<null> {
  const rows = await query<{ tokenKey: string; workspaceId: string; mode: 'test' | 'live' }>(
    tx,
    `SELECT token_key AS "tokenKey", workspace_id AS "workspaceId", mode FROM referral_tokens
      WHERE participant_id = $1 AND token_key NOT LIKE 'erased:%' ORDER BY token_key FOR UPDATE`,
    [params.participant],
  );
  for (const { tokenKey, ...scope } of rows) {
    await execute(
      tx,
      `UPDATE referral_tokens
          SET token_key = $4, token = 'Erased', retired_at = coalesce(retired_at, $5)
        WHERE workspace_id = $1 AND mode = $2 AND token_key = $3`,
      [scope.workspaceId, scope.mode, tokenKey, erasedTokenKey(vault, scope, tokenKey), params.at],
    );
  }
  await note(tx, part, { table: 'referral_tokens', rows: rows.length });
  return null;
}

function note(tx: Tx, part: Part, change: { table: string; rows: number }): Promise<void> {
  const participantId = part.participation?.id ?? null;
  return countChange(tx, { erasureId: part.erasure.id, participantId }, change);
}
