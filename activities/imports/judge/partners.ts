import { query, type Db } from '../../../entities/database/sql';
import type {
  RowOutcome,
  SealedPartner,
  StoredPartner,
} from '../../../entities/rules/imports/stored';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Import } from '../../../entities/tables/imports/import.entity';
import type { Vault } from '../../../runtime/crypto/vault';
import { erasedAddresses } from '../../partners/erased-address';
import { participantsByAddress } from '../../partners/add-partner';
import { personOf } from '../stage';
import { recordsOf, refused, type Judged, type Verdict } from './verdict';

export interface PartnerVerdict {
  person: SealedPartner;
  /** Who is here already: of theirs, or with this address. */
  participantId: string | null;
  /** The row is here by its own id. */
  isRecorded: boolean;
}

type Stores = { db: Db; vault: Pick<Vault, 'decrypt' | 'contactHash'> };

/** Partners: who is here, who was erased, and who is nobody to bring along. */
export async function judgePartners(
  { db, vault }: Stores,
  held: Import,
  rows: readonly ImportRow[],
): Promise<Judged<PartnerVerdict>[]> {
  const people = new Map(rows.map((row) => [row.n, personOf(vault, row)]));
  const emails = [...people.values()].map(({ email }) => email);
  const { programId } = held;
  const keys = rows.flatMap(({ theirKey }) => theirKey ?? []);
  const records = await recordsOf(db, held, { kind: 'partners', keys });
  const erased = await erasedRecords(
    db,
    [...records.values()].map(({ recordId }) => recordId),
  );
  const here = await participantsByAddress(db, { programId, emails });
  const erasedHere = await erasedAddresses({ db, vault }, { programId, emails });
  const withSomething = await thoseWithSomething(db, held, rows);

  const judge = (row: ImportRow, person: SealedPartner): Verdict<PartnerVerdict> => {
    const key = row.theirKey ?? '';
    const known = records.get(key);
    const found = here.get(person.email);
    const isErased = known
      ? erased.has(known.recordId)
      : found?.erased === true || erasedHere.has(person.email);
    if (isErased) return refused('PARTNER_ERASED');
    if (known) return { outcome: 'known', person, participantId: known.recordId, isRecorded: true };
    const outcome = outcomeOf(row, { isHere: found !== undefined, has: withSomething.has(key) });
    return { outcome, person, participantId: found?.id ?? null, isRecorded: false };
  };
  return rows.map((row) => {
    const person = people.get(row.n);
    if (!person) throw new Error('a partner without a person');
    return { row, verdict: judge(row, person) };
  });
}

/** Whoever was rejected and has nothing stays where they are. */
function outcomeOf(
  { fields }: ImportRow,
  { isHere, has }: { isHere: boolean; has: boolean },
): RowOutcome {
  if ((fields as StoredPartner).status === 'rejected' && !has) return 'skipped';
  return isHere ? 'known' : 'new';
}

async function erasedRecords(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    db,
    'SELECT id FROM participants WHERE id = ANY ($1::uuid[]) AND erased_at IS NOT NULL',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whoever was rejected over there comes along only with what they earned or brought. */
async function thoseWithSomething(
  db: Db,
  held: Import,
  rows: readonly ImportRow[],
): Promise<Set<string>> {
  const keys = rows
    .filter(({ fields }) => (fields as StoredPartner).status === 'rejected')
    .flatMap(({ theirKey }) => theirKey ?? []);
  if (keys.length === 0) return new Set();
  const found = await query<{ key: string }>(
    db,
    `SELECT DISTINCT partner_key AS key FROM import_rows
      WHERE import_id = $1 AND partner_key = ANY ($2::text[])
        AND kind <> 'partners' AND kind IN ('customers', 'commissions') AND problem IS NULL`,
    [held.id, keys],
  );
  return new Set(found.map(({ key }) => key));
}
