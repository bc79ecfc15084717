import { isUuid } from '../../../../entities/ids';
import { isCurrency } from '../../../../entities/rules/values/currency';
import { isDateOrInstant, isInstant } from '../../../../entities/rules/values/instant';
import { check, field, type FieldOptions } from './field';

export interface TextOptions extends FieldOptions {
  /** Least length; 0 unless given. */
  min?: number;
  max: number;
  /** Remove white space at both ends before validating. */
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
  const shaped = trim ? { ...options, normalise: textBy((value) => value.trim()) } : options;
  return field(schema, shaped, [check('text', shape, valid)]);
}

/** Characters as JSON Schema and Postgres count them: a surrogate pair is one. */
function lengthOf(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? Array.from(text).length : text.length;
}

/** Changes texts, and leaves whatever else was sent to the checks. */
function textBy(change: (text: string) => string): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' ? change(value) : value);
}

const lowerCased = textBy((text) => text.toLowerCase());

/** A name: 1 to 200 characters after trimming, none of them a control character. */
export function Name(options: FieldOptions = {}): PropertyDecorator {
  return Text({ min: 1, max: 200, trim: true, pattern: /^\P{Cc}*$/u, ...options });
}

/** Any text, for responses. */
export function AnyText(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'string' }, options, [
    check('text', 'must be text', (value) => typeof value === 'string'),
  ]);
}

/** An e-mail address, trimmed and lower-cased, of at most 320 characters. */
export function Email(options: FieldOptions = {}): PropertyDecorator {
  const normalise = textBy((text) => text.trim().toLowerCase());
  return field({ type: 'string', format: 'email', maxLength: 320 }, { ...options, normalise }, [
    check('email', 'must be an e-mail address', isEmailAddress),
  ]);
}

const mailbox =
  /^[^\s@"(),:;<>[\\\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/** True for `local@domain.tld`; bounded before the expression runs. */
function isEmailAddress(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 320 &&
    mailbox.test(value) &&
    !/^\.|\.\.|\.@/.test(value) &&
    !/[\p{Cc}\p{Cs}]/u.test(value)
  );
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
