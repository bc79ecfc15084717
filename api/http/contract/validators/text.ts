import { isIP } from 'node:net';
import { isUuid } from '../../../../entities/ids';
import { isCurrency } from '../../../../entities/rules/values/currency';
import { emailOf, maxEmailLength } from '../../../../entities/rules/values/email';
import { withoutUnseenEnds } from '../../../../entities/rules/values/identifier';
import { isDateOrInstant, isInstant } from '../../../../entities/rules/values/instant';
import { isName, maxNameLength } from '../../../../entities/rules/values/name';
import { check, field, type FieldOptions } from './field';

export interface TextOptions extends FieldOptions {
  /** Least length; 0 unless given. */
  min?: number;
  max: number;
  /** Remove white space, and what nobody sees, at both ends before validating. */
  trim?: boolean;
  pattern?: RegExp;
  format?: string;
}

/** Text of bounded length (in characters). The length is checked before the pattern. */
export function Text(options: TextOptions): PropertyDecorator {
  const { min = 0, max, pattern, trim, format } = options;
  const message =
    min > 0
      ? `must be text of ${min} to ${max} characters`
      : `must be text of at most ${max} characters`;
  const valid = (value: unknown): boolean =>
    typeof value === 'string' &&
    lengthOf(value) >= min &&
    lengthOf(value) <= max &&
    (pattern?.test(value) ?? true);
  const schema = {
    type: 'string',
    ...(min > 0 ? { minLength: min } : {}),
    maxLength: max,
    ...(pattern && !trim ? { pattern: pattern.source } : {}),
    ...(format === undefined ? {} : { format }),
  };
  const shape = pattern ? `${message} of the right form` : message;
  const shaped = trim ? { ...options, normalise: textBy(withoutUnseenEnds) } : options;
  return field(schema, shaped, [check('text', shape, valid)]);
}

/** Characters as JSON Schema and Postgres count them: a surrogate pair is one. */
export function lengthOf(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? Array.from(text).length : text.length;
}

/** Changes texts, and leaves whatever else was sent to the checks. */
export function textBy(change: (text: string) => string): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' ? change(value) : value);
}

const lowerCased = textBy((text) => text.toLowerCase());

/** A name that can be seen: 1 to 200 characters after trimming, no control or format characters. */
export function Name(options: FieldOptions = {}): PropertyDecorator {
  const normalise = textBy(withoutUnseenEnds);
  const message = `must be a name of 1 to ${maxNameLength} characters that can be seen, without control and format characters`;
  const schema = { type: 'string', minLength: 1, maxLength: maxNameLength };
  return field(schema, { ...options, normalise }, [
    check(
      'name',
      message,
      (value) => typeof value === 'string' && lengthOf(value) <= maxNameLength && isName(value),
    ),
  ]);
}

/** Any text, for responses. */
export function AnyText(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string' }, options, [
    check('text', 'must be text', (value) => typeof value === 'string'),
  ]);
}

/** An IP address of either family; an empty text tells none. */
export function ToldAddress(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string' }, options, [check('ip', 'must be an IP address', isToldAddress)]);
}

export function isToldAddress(value: unknown): boolean {
  const address = value ?? '';
  return typeof address === 'string' && (address === '' || isIP(address) !== 0);
}

/** An e-mail address, as it is kept and compared, of at most 320 characters. */
export function Email(options: FieldOptions = {}): PropertyDecorator {
  const normalise = textBy((text) => emailOf(text) ?? text);
  const schema = { type: 'string', format: 'email', maxLength: maxEmailLength };
  return field(schema, { ...options, normalise }, [
    check('email', 'must be an e-mail address', isEmail),
  ]);
}

function isEmail(value: unknown): boolean {
  return typeof value === 'string' && emailOf(value) !== undefined;
}

/** An address that a program tells beside something of more weight: one that is none is null. */
export function ToldEmail(options: FieldOptions = {}): PropertyDecorator {
  const normalise = (value: unknown): unknown =>
    typeof value === 'string' ? (emailOf(value) ?? null) : value;
  return field({ type: 'string' }, { ...options, normalise }, [
    check('text', 'must be text', (value) => typeof value === 'string'),
  ]);
}

export function Uuid(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', format: 'uuid' }, { ...options, normalise: lowerCased }, [
    check('uuid', 'must be a UUID', isUuid),
  ]);
}

export function OneOf(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', enum: [...values] }, options, [
    check('oneOf', `must be one of ${values.join(', ')}`, (value) =>
      values.includes(value as string),
    ),
  ]);
}

/** A full ISO 8601 instant with an offset. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', format: 'date-time' }, options, [
    check('instant', 'must be an ISO 8601 instant with an offset', isInstant),
  ]);
}

/** `YYYY-MM-DD` or a full instant: the form of dateFrom and dateTo. */
export function DateOrInstant(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string', maxLength: 64 }, { example: '2026-01-31', ...options }, [
    check('dateOrInstant', 'must be YYYY-MM-DD or an ISO 8601 instant', isDateOrInstant),
  ]);
}

/** ISO 4217 code, any case in; lower case inside and on output. */
export function CurrencyCode(options: FieldOptions = {}): PropertyDecorator {
  const shape = { example: 'usd', ...options, normalise: lowerCased };
  return field({ type: 'string', pattern: '^[A-Za-z]{3}$' }, shape, [
    check('currency', 'must be an ISO 4217 currency code', isCurrency),
  ]);
}

/** An absolute http or https URL. */
export function HttpUrl(options: FieldOptions & { max?: number } = {}): PropertyDecorator {
  const max = options.max ?? 2_048;
  return field({ type: 'string', format: 'uri', maxLength: max }, options, [
    check(
      'httpUrl',
      `must be an absolute http or https URL of at most ${max} characters`,
      (value) => typeof value === 'string' && value.length <= max && isHttpUrl(value),
    ),
  ]);
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value);
}
