import { erasedEmail, erasedName, erasedText } from './erasure';

/**
 * What becomes of a column. `hash`: a keyed hash stays, to compare with. `scrub`: what is in it is
 * read, and replaced where it names the person.
 */
type CopyRule = 'placeholder' | 'null' | 'hash' | 'scrub' | 'delete';

export interface Treatment {
  rule: CopyRule;
  /** What stands there afterwards, in SQL; a null stays null. */
  value?: string;
  /** Whether a row still holds the person, in SQL; otherwise it is whatever differs from `value`. */
  dirty?: string;
}

/**
 * Rows of one table that hold personal data of a partner. `where` may name {participant}, {partner},
 * {program}, {workspace}, {mode}, {emails}, {emailKeys}, {addressHashes} and {at}, the moment of the erasure: an
 * address that is used again later belongs to a new account.
 */
export interface Copy {
  table: string;
  of: 'participant' | 'account';
  /** The rows themselves, in the transaction of no return; everything else is cleaned after it. */
  isPivot?: true;
  /** Batches go along this key: columns with their types. */
  key: Readonly<Record<string, string>>;
  where: string;
  columns: Readonly<Record<string, Treatment>>;
  /** Assignments that go with it. */
  also?: string;
}

export const nothing: Treatment = { rule: 'null' };
export const gone: Treatment = { rule: 'delete' };
export const hashed: Treatment = { rule: 'hash' };
export const scrubbed: Treatment = { rule: 'scrub' };
export const name = placeholder(quoted(erasedName));
export const email = placeholder(quoted(erasedEmail));
export const text = placeholder(quoted(erasedText));
export const id = { id: 'uuid' };

export function placeholder(value: string, dirty?: string): Treatment {
  return { rule: 'placeholder', value, ...(dirty === undefined ? {} : { dirty }) };
}

export function quoted(value: string): string {
  return `'${value}'`;
}

/** A code that no one can type: each row has its own, so that they stay different. */
export function code(column: string): Treatment {
  return placeholder(`'erased-' || replace(${column}::text, '-', '')`);
}

export const isConfirmation = `type IN ('account.erased', 'participant.erased')`;
export const mail = {
  recipient: email,
  subject: text,
  params: placeholder(`'{}'::jsonb`),
};
export const mailIsOver = `status = CASE status WHEN 'queued' THEN 'dropped' ELSE status END`;
