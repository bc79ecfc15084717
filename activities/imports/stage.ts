import { insertAll } from '../../entities/database/insert-all';
import { query, type Tx } from '../../entities/database/sql';
import type { ImportKind } from '../../entities/rules/imports/kinds';
import { problemOf, type RowProblem } from '../../entities/rules/imports/problems';
import { shownId } from '../../entities/rules/imports/report';
import {
  readRow,
  refuseRow,
  type PartnerRow,
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
    .map((row) => ({ ...row, theirKey: null, problem, message, outcome: null }));
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

/**
 * A row as it will be kept. One literal of all its columns: a million of them are made, and an object that is
 * put together of spreads takes ten times as long, and leaves as much more to be collected.
 */
function stagedRow(
  { vault, held }: Pick<Stage, 'vault' | 'held'>,
  { kind, file }: Pick<SourceRows, 'kind' | 'file'>,
  { n, line, result }: Numbered,
): ImportRow {
  const { id: importId, workspaceId, mode } = held;
  const facts = result.ok
    ? factsOf({ vault, held }, n, result.row)
    : factsOfRefused(vault, kind, result);
  return {
    importId,
    kind,
    n,
    workspaceId,
    mode,
    file,
    line,
    theirKey: facts.theirKey,
    shownId: facts.shownId,
    partnerKey: facts.partnerKey,
    customerKey: facts.customerKey,
    addressHash: facts.addressHash,
    sealed: facts.sealed,
    fields: facts.fields,
    currency: facts.currency,
    amountCents: facts.amountCents,
    told: facts.told,
    problem: facts.problem,
    message: facts.message,
    groupName: null,
    sideProblem: null,
    sideMessage: null,
    warnings: facts.warnings,
    // Most rows are new: judging writes only the others.
    outcome: facts.problem === null ? 'new' : null,
  };
}

type RowFacts = Pick<
  ImportRow,
  | ('theirKey' | 'shownId' | 'partnerKey' | 'customerKey' | 'addressHash' | 'sealed' | 'fields')
  | ('currency' | 'amountCents' | 'told' | 'problem' | 'message' | 'warnings')
>;

function factsOf(
  { vault, held }: Pick<Stage, 'vault' | 'held'>,
  n: number,
  row: ReadRow,
): RowFacts {
  const { theirKey, partnerKey, customerKey } = keysOf(vault, row);
  const { fields, warnings } = row;
  const isCommission = 'amountCents' in fields;
  const isPartner = 'email' in fields;
  return {
    theirKey,
    shownId: shownId(row.theirId),
    partnerKey,
    customerKey,
    addressHash: isPartner ? vault.contactHash(fields.email) : null,
    sealed: isPartner ? sealedPerson(vault, { importId: held.id, n }, fields) : null,
    fields: storedOf(row, held),
    currency: isCommission ? fields.currency : null,
    amountCents: isCommission ? fields.amountCents : null,
    told: isCommission ? fields.status : null,
    problem: null,
    message: null,
    warnings: warnings.length > 0 ? warnings : null,
  };
}

function factsOfRefused(
  vault: Stage['vault'],
  kind: ImportKind,
  { theirId, partnerId, problem: { code, message } }: Extract<RowResult, { ok: false }>,
): RowFacts {
  return {
    theirKey: theirId === '' || kind === 'links' ? null : keyOf(vault, theirId),
    shownId: shownId(theirId),
    partnerKey: partnerId === '' ? null : keyOf(vault, partnerId),
    customerKey: null,
    addressHash: null,
    sealed: null,
    fields: {},
    currency: null,
    amountCents: null,
    told: null,
    problem: code,
    message,
    warnings: null,
  };
}

function sealedPerson(
  vault: Stage['vault'],
  { importId, n }: Pick<ImportRow, 'importId' | 'n'>,
  { email, name, payout }: PartnerRow,
): string {
  const person: SealedPartner = { email, name, payout };
  return vault.encrypt(JSON.stringify(person), ['import_rows.sealed', importId, String(n)]);
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
    return {
      customerId,
      saleIds,
      saleCents,
      saleRefundedCents,
      occurredAt: occurredAt.toISOString(),
      dueAt: isoOf(fields.dueAt),
      paidAt: isoOf(fields.paidAt),
      note,
      group,
      isAfter: occurredAt > cutover,
    };
  }
  const { customerId, aliases, boundAt, firstPaidAt } = fields;
  // What was paid after the cutover is ours to know.
  const first = firstPaidAt !== null && firstPaidAt > cutover ? null : firstPaidAt;
  return { customerId, aliases, boundAt: isoOf(boundAt), firstPaidAt: isoOf(first) };
}

function isoOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
