import { insertAll } from '../../entities/database/insert-all';
import { query, type Tx } from '../../entities/database/sql';
import type { ImportKind } from '../../entities/rules/imports/kinds';
import { problemOf, type RowProblem } from '../../entities/rules/imports/problems';
import { shownId } from '../../entities/rules/imports/report';
import {
  readRow,
  refuseRow,
  type ReadRow,
  type Reading,
  type RowResult,
  type SourceRow,
} from '../../entities/rules/imports/rows';
import type { SealedPartner, StoredFields } from '../../entities/rules/imports/stored';
import { ImportRow } from '../../entities/tables/imports/import-row.entity';
import { ImportSale } from '../../entities/tables/imports/import-sale.entity';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { keyOf, keysOf } from './keys';

export interface StageRow {
  line: number;
  cells: SourceRow;
  /** Why it cannot be booked, where the source itself says so. */
  problem?: RowProblem | undefined;
}

/** Rows of a source, as they are read: of a file with its line, of an API with its place in the page. */
export interface SourceRows {
  kind: ImportKind;
  /** `partners-1`: the kind and the part of it, or the page. */
  file: string;
  rows: readonly StageRow[];
}

interface Stage {
  vault: Pick<Vault, 'encrypt' | 'contactHash'>;
  held: Import;
  reading: Reading;
}

/** Keeps rows as they are read, behind the row `after`; gives the number of the last one. */
export async function stageRows(
  { tx, ...stage }: Stage & { tx: Tx },
  source: SourceRows,
  after: number,
): Promise<number> {
  await writeStaged(tx, stagedRows(stage, source, after));
  return after + source.rows.length;
}

/** Rows as they will be kept, behind the row `after`. */
export function stagedRows(
  { vault, held, reading }: Stage,
  source: SourceRows,
  after: number,
): ImportRow[] {
  const { kind } = source;
  return source.rows.map(({ line, cells, problem }, index) => {
    const result = problem ? refuseRow(kind, cells, problem) : readRow(kind, cells, reading);
    return stagedRow({ vault, held }, source, { n: after + index + 1, line, result });
  });
}

/** Keeps such rows, each id once. */
export async function writeStaged(tx: Tx, staged: readonly ImportRow[]): Promise<void> {
  const repeats = await insertFirsts(tx, staged);
  await insertAll(tx, { into: ImportRow, rows: repeats });
  const left = new Set(repeats.map(({ n }) => n));
  const firsts = staged.filter(({ n }) => !left.has(n));
  await insertAll(tx, { into: ImportSale, rows: firsts.flatMap(salesOf) });
}

/** The first row of an id counts; gives those that are left out. */
async function insertFirsts(tx: Tx, staged: readonly ImportRow[]): Promise<ImportRow[]> {
  const [first] = staged;
  const onConflict = `ON CONFLICT (import_id, kind, their_key) WHERE their_key IS NOT NULL DO NOTHING`;
  const count = await insertAll(tx, { into: ImportRow, rows: staged, onConflict });
  if (!first || count === staged.length) return [];
  const there = await query<{ n: number }>(
    tx,
    'SELECT n FROM import_rows WHERE import_id = $1 AND kind = $2 AND n BETWEEN $3 AND $4',
    [first.importId, first.kind, first.n, staged.at(-1)?.n],
  );
  const kept = new Set(there.map(({ n }) => n));
  const { code: problem, message } = problemOf('DUPLICATE_ID');
  return staged
    .filter(({ n }) => !kept.has(n))
    .map((row) => ({ ...row, theirKey: null, problem, message }));
}

function salesOf(row: ImportRow): ImportSale[] {
  const { importId, n, workspaceId, mode, fields, problem } = row;
  if (problem !== null || !('saleIds' in fields)) return [];
  return fields.saleIds.map((saleId) => ({ importId, saleId, n, workspaceId, mode }));
}

interface Numbered {
  n: number;
  line: number;
  result: RowResult;
}

function stagedRow(
  { vault, held }: Pick<Stage, 'vault' | 'held'>,
  { kind, file }: Pick<SourceRows, 'kind' | 'file'>,
  { n, line, result }: Numbered,
): ImportRow {
  const { id: importId, workspaceId, mode } = held;
  const place = { importId, kind, n, workspaceId, mode, file, line, outcome: null };
  if (!result.ok) {
    const { code: problem, message } = result.problem;
    const theirKey =
      result.theirId === '' || kind === 'links' ? null : keyOf(vault, result.theirId);
    const partnerKey = result.partnerId === '' ? null : keyOf(vault, result.partnerId);
    const none = { ...nothingTold, customerKey: null, warnings: null, fields: {} };
    const shown = shownId(result.theirId);
    return { ...place, ...none, theirKey, partnerKey, shownId: shown, problem, message };
  }
  const { row } = result;
  return {
    ...place,
    ...nothingTold,
    ...keysOf(vault, row),
    ...moneyOf(row),
    ...sealedOf(vault, { importId, n, row }),
    shownId: shownId(row.theirId),
    fields: storedOf(row, held),
    problem: null,
    message: null,
    warnings: row.warnings.length > 0 ? row.warnings : null,
  };
}

const nothingTold = {
  groupName: null,
  sideProblem: null,
  sideMessage: null,
  addressHash: null,
  sealed: null,
  currency: null,
  amountCents: null,
  told: null,
};

function moneyOf({
  fields,
}: ReadRow): Partial<Pick<ImportRow, 'currency' | 'amountCents' | 'told'>> {
  if (!('amountCents' in fields)) return {};
  const { currency, amountCents, status: told } = fields;
  return { currency, amountCents, told };
}

function sealedOf(
  vault: Stage['vault'],
  { importId, n, row }: { importId: string; n: number; row: ReadRow },
): Partial<Pick<ImportRow, 'addressHash' | 'sealed'>> {
  const { fields } = row;
  if (!('email' in fields)) return {};
  const { email, name, payout } = fields;
  const person: SealedPartner = { email, name, payout };
  return {
    addressHash: vault.contactHash(email),
    sealed: vault.encrypt(JSON.stringify(person), ['import_rows.sealed', importId, String(n)]),
  };
}

/** The person of a row. */
export function personOf(
  vault: Pick<Vault, 'decrypt'>,
  { importId, n, sealed }: Pick<ImportRow, 'importId' | 'n' | 'sealed'>,
): SealedPartner {
  if (sealed === null) throw new Error('a partner without a sealed person');
  return JSON.parse(
    vault.decrypt(sealed, ['import_rows.sealed', importId, String(n)]),
  ) as SealedPartner;
}

function storedOf({ fields }: ReadRow, { cutover }: Pick<Import, 'cutover'>): StoredFields {
  if ('email' in fields) {
    const { status, groups } = fields;
    return { status, createdAt: isoOf(fields.createdAt), groups };
  }
  if ('token' in fields) return fields;
  if ('saleIds' in fields) {
    const { knownAs: customerId, saleIds, saleCents, saleRefundedCents } = fields;
    const { occurredAt, note, group } = fields;
    const times = { dueAt: isoOf(fields.dueAt), paidAt: isoOf(fields.paidAt) };
    const sale = { customerId, saleIds, saleCents, saleRefundedCents };
    const isAfter = occurredAt > cutover;
    return { ...sale, occurredAt: occurredAt.toISOString(), ...times, note, group, isAfter };
  }
  const { customerId, aliases, boundAt, firstPaidAt } = fields;
  // What was paid after the cutover is ours to know.
  const first = firstPaidAt !== null && firstPaidAt > cutover ? null : firstPaidAt;
  return { customerId, aliases, boundAt: isoOf(boundAt), firstPaidAt: isoOf(first) };
}

function isoOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
