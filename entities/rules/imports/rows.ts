import { cut } from '../values/cut';
import { isCurrency } from '../values/currency';
import { emailOf } from '../values/email';
import { customerIdOf, withoutUnseenEnds } from '../values/identifier';
import { isName, maxNameLength } from '../values/name';
import { isCodeShaped, promoCodeKey } from '../partners/referral-code';
import type { ImportKind } from './kinds';
import { minorUnitsOf, wholeUnitsOf } from './money';
import { invalidField, problemOf, type RowProblem, type RowWarning } from './problems';
import {
  toldPartnerStatusOf,
  toldStatusOf,
  type StatusWords,
  type ToldPartnerStatus,
  type ToldStatus,
} from './statuses';
import { momentOf } from './times';
import { isImportedToken } from './token';

/** A row of a source by our columns: a file's cells, or what a reader of an API made of an object. */
export type SourceRow = Readonly<Record<string, string | undefined>>;

export interface PayoutAddress {
  type: 'paypal' | 'wise';
  email: string;
}

export interface PartnerRow {
  email: string;
  name: string | null;
  status: ToldPartnerStatus;
  payout: PayoutAddress | null;
  /** Campaigns that they are in. */
  groups: string[];
  createdAt: Date | null;
}

export interface LinkRow {
  kind: 'link' | 'code';
  /** A code is in upper case. */
  token: string;
  url: string | null;
}

export interface CustomerRow {
  customerId: string;
  aliases: string[];
  boundAt: Date | null;
  firstPaidAt: Date | null;
}

export interface CommissionRow {
  /** Their id of the customer. */
  customerId: string | null;
  /** The id that the customer is known by here, where they are not imported. */
  knownAs: string | null;
  saleIds: string[];
  saleCents: number | null;
  saleRefundedCents: number;
  amountCents: number;
  currency: string;
  status: ToldStatus;
  occurredAt: Date;
  dueAt: Date | null;
  paidAt: Date | null;
  note: string | null;
  /** The campaign that it was earned in. */
  group: string | null;
}

/** What a row says, by our types. Times of it are dates, sums minor units. */
export interface ReadRow {
  /** Their id of it, unique within its kind. */
  theirId: string;
  /** Their id of the partner it belongs to; of a partner their own. */
  partnerId: string;
  fields: PartnerRow | LinkRow | CustomerRow | CommissionRow;
  warnings: RowWarning[];
}

/** How rows are read: what stands in where a source tells nothing, and what its words mean. */
export interface Reading {
  currency: string;
  statuses: StatusWords;
  /** The prefix of the ids that a vendor gives its customers; null where ids are the merchant's own. */
  idPrefix?: string | null;
}

export type RowResult =
  | { ok: true; row: ReadRow }
  | { ok: false; theirId: string; partnerId: string; problem: RowProblem };

const longestId = 255;
const longestNote = 500;

type Reader = (cells: SourceRow, reading: Reading, warnings: RowWarning[]) => Read;
type Read = { theirId: string; fields: ReadRow['fields'] } | { problem: RowProblem };

const readers: Readonly<Record<ImportKind, Reader>> = {
  partners: readPartner,
  links: readLink,
  customers: readCustomer,
  commissions: readCommission,
};

const idColumns: Readonly<Record<ImportKind, string>> = {
  partners: 'partner_id',
  links: 'token',
  customers: 'customer_id',
  commissions: 'commission_id',
};

/** Reads a row of a kind. What nothing needs is left empty where it cannot be read, with a warning. */
export function readRow(kind: ImportKind, cells: SourceRow, reading: Reading): RowResult {
  const theirId = idIn(cells, idColumns[kind]);
  const partnerId = idIn(cells, 'partner_id');
  const refuse = (problem: RowProblem): RowResult => ({ ok: false, theirId, partnerId, problem });
  for (const [column, id] of [
    [idColumns[kind], theirId],
    ['partner_id', partnerId],
  ] as const) {
    if (kind === 'links' && column === 'token') continue;
    if (id === '') return refuse(invalidField(column, 'is missing'));
    if (id.length > longestId) {
      return refuse(invalidField(column, `has more than ${longestId} characters`));
    }
  }
  const warnings: RowWarning[] = [];
  const read = readers[kind](cells, reading, warnings);
  if ('problem' in read) return refuse(read.problem);
  return { ok: true, row: { theirId: read.theirId, partnerId, fields: read.fields, warnings } };
}

/** A row that is left out before its fields are checked. */
export function refuseRow(kind: ImportKind, cells: SourceRow, problem: RowProblem): RowResult {
  const theirId = cut(idIn(cells, idColumns[kind]), longestId);
  return { ok: false, theirId, partnerId: cut(idIn(cells, 'partner_id'), longestId), problem };
}

/** What a row is known by, before it is read; empty where it has nothing. */
export function rawIdOf(kind: ImportKind, cells: SourceRow): string {
  const id = idIn(cells, idColumns[kind]);
  if (id === '' || kind !== 'links') return id;
  const isCode = cellIn(cells, 'kind').toLowerCase() === 'code';
  return isCode ? `code:${promoCodeKey(id)}` : `link:${id}`;
}

/** The cell as it stands, without what nobody sees around it, and without the sign of a neutralised one. */
function cellIn(cells: SourceRow, column: string): string {
  return plainCell(withoutUnseenEnds(cells[column] ?? ''));
}

/** An export puts `'` before what a spreadsheet would take for a formula. */
export function plainCell(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function idIn(cells: SourceRow, column: string): string {
  return cellIn(cells, column);
}

function readPartner(cells: SourceRow, { statuses }: Reading, warnings: RowWarning[]): Read {
  const email = emailOf(cellIn(cells, 'email'));
  if (email === undefined) return { problem: problemOf('EMAIL_INVALID') };
  return {
    theirId: idIn(cells, 'partner_id'),
    fields: {
      email,
      name: nameIn(cells, warnings),
      status: toldPartnerStatusOf(cellIn(cells, 'status'), statuses),
      payout: payoutIn(cells, warnings),
      groups: groupsIn(cells, warnings),
      createdAt: timeIn(cells, 'created_at', warnings),
    },
  };
}

/** The groups that a cell names; a reader of an API puts each of several on a line. */
function groupsIn(cells: SourceRow, warnings: RowWarning[]): string[] {
  const named = (cells['groups'] ?? cellIn(cells, 'group'))
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const groups = named.filter((name) => [...name].length <= maxNameLength && isName(name));
  if (groups.length < named.length) {
    warnings.push({ field: 'group', message: 'is no name that can be shown' });
  }
  return [...new Set(groups)].slice(0, mostIds);
}

function nameIn(cells: SourceRow, warnings: RowWarning[]): string | null {
  const name = cellIn(cells, 'name');
  if (name === '') return null;
  if ([...name].length <= maxNameLength && isName(name)) return name;
  warnings.push({ field: 'name', message: 'is no name that can be shown' });
  return null;
}

function payoutIn(cells: SourceRow, warnings: RowWarning[]): PayoutAddress | null {
  const text = cellIn(cells, 'payout_email');
  if (text === '') return null;
  const email = emailOf(text);
  if (email === undefined) {
    warnings.push({ field: 'payout_email', message: 'is no e-mail address' });
    return null;
  }
  const type = cellIn(cells, 'payout_type').toLowerCase() || 'paypal';
  if (type === 'paypal' || type === 'wise') return { type, email };
  warnings.push({ field: 'payout_type', message: 'is neither paypal nor wise' });
  return null;
}

function readLink(cells: SourceRow, _: Reading, warnings: RowWarning[]): Read {
  const text = cellIn(cells, 'token');
  const kind = cellIn(cells, 'kind').toLowerCase();
  if (kind === 'code') {
    if (!isCodeShaped(text)) return { problem: problemOf('CODE_INVALID') };
    const token = promoCodeKey(text);
    return { theirId: `code:${token}`, fields: { kind, token, url: null } };
  }
  if (kind !== '' && kind !== 'link') {
    return { problem: invalidField('kind', 'is neither link nor code') };
  }
  if (!isImportedToken(text)) return { problem: problemOf('TOKEN_INVALID') };
  return {
    theirId: `link:${text}`,
    fields: { kind: 'link', token: text, url: urlIn(cells, warnings) },
  };
}

const longestUrl = 2_048;

function urlIn(cells: SourceRow, warnings: RowWarning[]): string | null {
  const url = cellIn(cells, 'url');
  if (url === '') return null;
  if (url.length <= longestUrl && /^https?:\/\/[^\s/\\]/i.test(url)) return url;
  warnings.push({ field: 'url', message: 'is no http or https address' });
  return null;
}

function readCustomer(cells: SourceRow, reading: Reading, warnings: RowWarning[]): Read {
  const theirId = idIn(cells, 'customer_id');
  const customerId = customerIdOf(theirId);
  if (customerId === null) return { problem: invalidField('customer_id', 'names nobody') };
  const own = prefixed(customerId, reading);
  const knownAs = customerIdOf(cellIn(cells, 'known_as'));
  const others = listIn(cells, 'aliases', warnings)
    .map(customerIdOf)
    .filter((id) => id !== null);
  return {
    theirId,
    fields: {
      customerId: knownAs ?? own,
      aliases: knownAs === null ? others : [own, ...others],
      boundAt: timeIn(cells, 'bound_at', warnings),
      firstPaidAt: timeIn(cells, 'first_paid_at', warnings),
    },
  };
}

function readCommission(cells: SourceRow, reading: Reading, warnings: RowWarning[]): Read {
  const currency = (cellIn(cells, 'currency') || reading.currency).toLowerCase();
  if (!isCurrency(currency)) return { problem: problemOf('CURRENCY_UNKNOWN') };
  const sums = sumsIn(cells, currency);
  if (!sums) return { problem: problemOf('MONEY_INVALID') };
  const status = toldStatusOf(cellIn(cells, 'status'), reading.statuses);
  if (status === undefined) return { problem: problemOf('STATUS_UNKNOWN') };
  const occurredAt = momentOf(cellIn(cells, 'occurred_at'));
  if (!occurredAt) return { problem: invalidField('occurred_at', 'is no date or instant') };
  const customer = customerIn(cells, reading);
  // One literal: of a million rows, one that is put together of spreads takes several times as long.
  const fields: CommissionRow = {
    customerId: customer.customerId,
    knownAs: customer.knownAs,
    saleIds: listIn(cells, 'sale_id', warnings),
    saleCents: sums.saleCents,
    saleRefundedCents: sums.saleRefundedCents,
    amountCents: sums.amountCents,
    currency,
    status,
    occurredAt,
    dueAt: timeIn(cells, 'due_at', warnings),
    paidAt: timeIn(cells, 'paid_at', warnings),
    note: noteIn(cells),
    group: cellIn(cells, 'group') || null,
  };
  return { theirId: idIn(cells, 'commission_id'), fields };
}

type Sums = Pick<CommissionRow, 'saleCents' | 'saleRefundedCents' | 'amountCents'>;

/** Undefined where one of them is no sum, or the commission has none. */
function sumsIn(cells: SourceRow, currency: string): Sums | undefined {
  const amountCents = sumIn(cells, 'amount', { currency, signed: true });
  const saleCents = sumIn(cells, 'sale_amount', { currency });
  const refunded = sumIn(cells, 'sale_refunded', { currency });
  if (amountCents === undefined || amountCents === null) return undefined;
  if (saleCents === undefined || refunded === undefined) return undefined;
  return { amountCents, saleCents, saleRefundedCents: Math.min(refunded ?? 0, saleCents ?? 0) };
}

/** An id of the vendor's own, which is nobody else's. */
function prefixed(id: string, { idPrefix = null }: Reading): string {
  return idPrefix === null ? id : `${idPrefix}:${id}`;
}

/** The customer as the file of customers has them, and as they are called here. */
function customerIn(
  cells: SourceRow,
  reading: Reading,
): Pick<CommissionRow, 'customerId' | 'knownAs'> {
  const id = idIn(cells, 'customer_id');
  const knownAs = customerIdOf(cellIn(cells, 'known_as'));
  if (customerIdOf(id) === null || id.length > longestId) return { customerId: null, knownAs };
  return { customerId: id, knownAs: knownAs ?? prefixed(id, reading) };
}

function noteIn(cells: SourceRow): string | null {
  return [...cellIn(cells, 'note')].slice(0, longestNote).join('') || null;
}

/** Null where nothing is told, undefined for what is no sum. */
function sumIn(
  cells: SourceRow,
  column: string,
  given: { currency: string; signed?: boolean },
): number | null | undefined {
  const whole = cellIn(cells, `${column}_cents`);
  if (whole !== '') return wholeUnitsOf(whole, given);
  const text = cellIn(cells, column);
  return text === '' ? null : minorUnitsOf(text, given);
}

function timeIn(cells: SourceRow, column: string, warnings: RowWarning[]): Date | null {
  const text = cellIn(cells, column);
  if (text === '') return null;
  const moment = momentOf(text);
  if (moment) return moment;
  warnings.push({ field: column, message: 'is no date or instant' });
  return null;
}

const mostIds = 50;

/** What stands between `|`, each once. */
function listIn(cells: SourceRow, column: string, warnings: RowWarning[]): string[] {
  const all = cellIn(cells, column)
    .split('|')
    .map((id) => plainCell(withoutUnseenEnds(id)))
    .filter((id) => id !== '');
  const fit = [...new Set(all)].filter(({ length }) => length <= longestId).slice(0, mostIds);
  if (fit.length < new Set(all).size) {
    warnings.push({ field: column, message: 'has ids that are too long, or too many' });
  }
  return fit;
}
