import { findById } from '../../entities/database/find';
import type { ErasureKind, LedgerKind } from '../../entities/rules/erasure/erasure';
import { newId } from '../../entities/ids';
import { selectList } from '../../entities/database/columns';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { ErasedRecord } from '../../entities/tables/erasure/erased-record.entity';
import { Erasure } from '../../entities/tables/erasure/erasure.entity';
import type { Cause } from '../journal/cause';
import type { Deps } from '../../runtime/process/deps';
import { revokeAccess } from './access';
import { anonymiseSubject, completeErasure } from './anonymise';
import { cleanCopies, cleanStart, type Part } from './clean';
import { eraseConversionAgain, eraseCustomerAgain } from './customers/customers';
import { eraseInviteAgain } from './invites';
import { lockSubject } from './lock';
import { participationsOf, searchedWith } from './subject';

/** One line of the ledger of erasures: ids only. */
export interface LedgerLine {
  kind: LedgerKind;
  subjectId: string;
}

/** A line of a person, whose erasure is a saga. */
type PersonLine = LedgerLine & { kind: ErasureKind };

/**
 * Who and what is erased, or about to be, in the order in which it happened: of a backup nobody
 * knows what the person was told after it was made.
 */
export function readLedger(db: Db): Promise<LedgerLine[]> {
  return query<LedgerLine>(
    db,
    `SELECT kind, "subjectId" FROM (
       SELECT ${selectList(Erasure, 'e', ['kind', 'subjectId'])}, erased_at FROM erasures AS e
        WHERE status <> 'cancelled'
       UNION ALL
       SELECT ${selectList(ErasedRecord, 'r', ['kind', 'subjectId'])}, erased_at
         FROM erased_records AS r) AS ledger
      ORDER BY erased_at, "subjectId"`,
  );
}

/**
 * Erases those of a ledger whom a restored backup brought back: without a confirmation, which they
 * had, and whatever the backup says of payouts. Returns how many were back.
 */
export async function replayErasures(
  deps: Pick<Deps, 'db' | 'vault'>,
  cause: Cause,
  ledger: readonly LedgerLine[],
): Promise<number> {
  let erased = 0;
  for (const line of ledger) {
    if (await replayLine(deps, cause, line)) erased += 1;
  }
  return erased;
}

async function replayLine(
  deps: Pick<Deps, 'db' | 'vault'>,
  cause: Cause,
  line: LedgerLine,
): Promise<boolean> {
  const { kind, subjectId } = line;
  const stores = { db: deps.db.manager, vault: deps.vault };
  if (kind === 'invite') return eraseInviteAgain(stores, cause, subjectId);
  if (kind === 'conversion') return eraseConversionAgain(stores, cause, subjectId);
  if (kind === 'customer') return eraseCustomerAgain(stores, cause, subjectId);
  const person = { kind, subjectId };
  if (!(await isBack(deps.db.manager, person))) return false;
  await eraseAgain(deps, cause, person);
  return true;
}

/** Whether the database holds the subject, and not as erased. */
async function isBack(db: Db, { kind, subjectId }: PersonLine): Promise<boolean> {
  const table = kind === 'account' ? 'partner_accounts' : 'participants';
  const row = await queryOne(
    db,
    `SELECT 1 FROM ${table} AS s WHERE s.id = $1 AND NOT EXISTS (
       SELECT 1 FROM erasures WHERE kind = $2 AND subject_id = s.id AND status = 'completed')`,
    [subjectId, kind],
  );
  return row !== undefined;
}

async function eraseAgain(
  deps: Pick<Deps, 'db' | 'vault'>,
  cause: Cause,
  { kind, subjectId }: PersonLine,
): Promise<void> {
  const db = deps.db.manager;
  const erasureId = (await openErasure(db, { kind, subjectId })) ?? newId();
  await lockSubject(deps, cause, { erasureId, kind, subjectId, isReplay: true });
  await revokeAccess(deps, erasureId);
  await anonymiseSubject(deps, cause, erasureId);
  const erasure = await findById(db, Erasure, erasureId);
  if (!erasure) return;

  const all = await participationsOf(db, erasure);
  const parts: Part[] = all.map((participation) => ({
    erasure,
    participation,
    together: searchedWith(all, participation),
  }));
  if (kind === 'account') parts.unshift({ erasure, participation: null });
  const forever = { from: cleanStart, until: (): boolean => false };
  for (const part of parts) await cleanCopies(deps, part, forever);
  await completeErasure(deps, cause, erasureId);
}

/** One that the backup caught half-way goes on. */
async function openErasure(db: Db, { kind, subjectId }: PersonLine): Promise<string | undefined> {
  const row = await queryOne<{ id: string }>(
    db,
    `SELECT id FROM erasures
      WHERE kind = $1 AND subject_id = $2 AND status IN ('locked', 'anonymised')`,
    [kind, subjectId],
  );
  return row?.id;
}
