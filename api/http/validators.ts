import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { isUuid } from '../../entities/ids';
import { isCurrency } from '../../entities/rules/values/currency';
import { isDateOrInstant, isInstant } from '../../entities/rules/values/instant';

/** One decorator per field: it validates requests and gives the schema of the OpenAPI document. */
export interface FieldOptions {
  /** The field may be absent. */
  optional?: boolean;
  /** The field may be null. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

type Schema = Record<string, unknown>;
type ClassOf = new () => object;

/** The classes that schemas refer to, by name. */
export const schemaClasses = new Map<string, ClassOf>();

export function schemaRef(type: ClassOf): Schema {
  const known = schemaClasses.get(type.name);
  if (known && known !== type) throw new Error(`two DTO classes are called ${type.name}`);
  schemaClasses.set(type.name, type);
  return { $ref: `#/components/schemas/${type.name}` };
}

function field(schema: Schema, options: FieldOptions, checks: PropertyDecorator[]) {
  return (target: object, key: string | symbol): void => {
    const property = String(key);
    const all = [
      ...checks,
      ...(options.optional || options.nullable
        ? [
            ValidateIf((_: object, value: unknown) => {
              if (value === undefined) return !options.optional;
              return value !== null || !options.nullable;
            }),
          ]
        : []),
      JSONSchema(() => describe(schema, options) as never),
    ];
    for (const decorate of all) decorate(target, property);
    if (!options.optional) requiredFields(target.constructor).add(property);
  };
}

const required = new WeakMap<object, Set<string>>();

/** Names of the fields of this class (not of its parents) that must be present. */
export function requiredFields(type: object): Set<string> {
  const known = required.get(type) ?? new Set<string>();
  required.set(type, known);
  return known;
}

function describe(schema: Schema, options: FieldOptions): Schema {
  const notes = {
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
  };
  if ('$ref' in schema) {
    if (!options.nullable && Object.keys(notes).length === 0) return schema;
    const nullable = options.nullable ? { type: 'object', nullable: true } : {};
    return { ...nullable, allOf: [schema], ...notes };
  }
  const choices = schema['oneOf'] as Schema[] | undefined;
  if (choices && options.nullable) {
    // OpenAPI 3.0 knows `nullable` beside a `type` only.
    const [first, ...others] = choices;
    return { ...schema, oneOf: [{ ...first, nullable: true }, ...others], ...notes };
  }
  const values = schema['enum'] as unknown[] | undefined;
  const nullable = options.nullable
    ? { nullable: true, ...(values ? { enum: [...values, null] } : {}) }
    : {};
  return { ...schema, ...nullable, ...notes };
}

/** A check with its message; `each` checks every item of a list. */
function check(
  name: string,
  message: string,
  validate: (value: unknown, args?: ValidationArguments) => boolean,
  each = false,
): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate, defaultMessage: () => message } },
    { each, message },
  );
}

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
  return field(schema, options, [...(trim ? [trimmed] : []), check('text', shape, valid)]);
}

/** Characters as JSON Schema and Postgres count them: a surrogate pair is one. */
function lengthOf(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? Array.from(text).length : text.length;
}

const trimmed = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.trim() : value,
);

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
  const normalise = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim().toLowerCase() : value,
  );
  return field({ type: 'string', format: 'email', maxLength: 320 }, options, [
    normalise,
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
  return field({ type: 'string', format: 'uuid' }, options, [
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.toLowerCase() : value,
    ),
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

export interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
}

/** A JSON integer. In a query string use QueryInt. */
export function Int(options: NumberOptions = {}): PropertyDecorator {
  return field(integerSchema(options), options, [integerCheck(options)]);
}

/** An integer in a query string. */
export function QueryInt(options: NumberOptions = {}): PropertyDecorator {
  const parse = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
  );
  return field(integerSchema(options), options, [parse, integerCheck(options)]);
}

function integerSchema({ min, max }: NumberOptions): Schema {
  return {
    type: 'integer',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

function integerCheck({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
}: NumberOptions): PropertyDecorator {
  const range =
    min === Number.MIN_SAFE_INTEGER && max === Number.MAX_SAFE_INTEGER
      ? ''
      : max === Number.MAX_SAFE_INTEGER
        ? ` of at least ${min}`
        : ` from ${min} to ${max}`;
  return check(
    'int',
    `must be an integer${range}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  );
}

/** Any finite number, for responses (rates). */
export function Decimal(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'number' }, options, [check('number', 'must be a number', Number.isFinite)]);
}

/** A JSON boolean. In a query string use QueryFlag. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field({ type: 'boolean' }, options, [
    check('flag', 'must be true or false', (value) => typeof value === 'boolean'),
  ]);
}

/** `true` or `false` in a query string. */
export function QueryFlag(options: FieldOptions = {}): PropertyDecorator {
  const parse = Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
  return field({ type: 'boolean' }, options, [
    parse,
    check('flag', 'must be true or false', (value) => typeof value === 'boolean'),
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
  const lower = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  );
  return field({ type: 'string', pattern: '^[A-Za-z]{3}$' }, { example: 'usd', ...options }, [
    lower,
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

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of another DTO class. */
export function Nested(type: () => ClassOf, options: FieldOptions = {}): PropertyDecorator {
  return deferred(() => schemaRef(type()), options, [
    Type(type),
    check('object', 'must be an object', isObject),
    ValidateNested({ message: 'must be an object' }),
  ]);
}

export interface ListOptions extends FieldOptions {
  min?: number;
  max?: number;
}

const longestLists = new WeakMap<object, Map<string, number>>();

/** How many items a field's list may have; undefined when it says nothing. */
export function longestListOf(type: object, property: string): number | undefined {
  for (
    let owner: unknown = type;
    typeof owner === 'function';
    owner = Object.getPrototypeOf(owner)
  ) {
    const most = longestLists.get(owner)?.get(property);
    if (most !== undefined) return most;
  }
  return undefined;
}

function longest(most: number | undefined): PropertyDecorator {
  return (target, property) => {
    if (most === undefined) return;
    const known = longestLists.get(target.constructor) ?? new Map<string, number>();
    longestLists.set(target.constructor, known.set(String(property), most));
  };
}

/** A list of objects of another DTO class. */
export function ListOf(type: () => ClassOf, options: ListOptions = {}): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  return deferred(() => listSchema(schemaRef(type()), options), options, [
    longest(options.max),
    Type(type),
    IsArray({ message: 'must be a list' }),
    ArrayMinSize(min, { message: `must have at least ${min} items` }),
    ArrayMaxSize(max, { message: `must have at most ${max} items` }),
    check('objects', 'each item must be an object', isObject, true),
    ValidateNested({ each: true, message: 'each item must be an object' }),
  ]);
}

export interface ValuesOptions extends ListOptions {
  /** Schema of one item. */
  item: Schema;
  valid: (item: unknown) => boolean;
  /** Says what each item must be. */
  message: string;
  distinct?: boolean;
  /** Applied to each item before validating. */
  normalise?: (item: unknown) => unknown;
}

/** A list of plain values. */
export function Values(options: ValuesOptions): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, normalise } = options;
  const transform = Transform(({ value }: { value: unknown }) =>
    normalise && Array.isArray(value) ? value.map(normalise) : value,
  );
  const size = `must have ${min} to ${max} items`;
  return field(listSchema(options.item, options), options, [
    longest(options.max),
    transform,
    check('items', options.message, (value) => Array.isArray(value) && value.every(options.valid)),
    check('size', size, (v) => Array.isArray(v) && v.length >= min && v.length <= max),
    ...(options.distinct
      ? [
          check(
            'distinct',
            'must not repeat an item',
            (v) => !Array.isArray(v) || new Set(v).size === v.length,
          ),
        ]
      : []),
  ]);
}

export function Uuids(options: ListOptions & { distinct?: boolean } = {}): PropertyDecorator {
  return Values({
    ...options,
    item: { type: 'string', format: 'uuid' },
    valid: isUuid,
    message: 'each item must be a UUID',
    normalise: (item) => (typeof item === 'string' ? item.toLowerCase() : item),
  });
}

export function Texts(
  options: ListOptions & { distinct?: boolean; length?: number } = {},
): PropertyDecorator {
  const length = options.length ?? 1_000;
  return Values({
    ...options,
    item: { type: 'string', maxLength: length },
    valid: (item) => typeof item === 'string' && item.length >= 1 && item.length <= length,
    message: `each item must be text of 1 to ${length} characters`,
  });
}

function listSchema(items: Schema, { min, max }: ListOptions): Schema {
  return {
    type: 'array',
    items,
    ...(min ? { minItems: min } : {}),
    ...(max === undefined ? {} : { maxItems: max }),
  };
}

/** Any JSON value that satisfies a test of its own; `schema` describes it. */
export function Json(
  options: FieldOptions & {
    schema?: Schema;
    valid?: (value: unknown) => boolean;
    message?: string;
  } = {},
): PropertyDecorator {
  return field(options.schema ?? { type: 'object', additionalProperties: true }, options, [
    check('json', options.message ?? 'is not valid', options.valid ?? (() => true)),
  ]);
}

/** Schemas of other classes are looked up late: decorators run before the classes are complete. */
function deferred(
  schema: () => Schema,
  options: FieldOptions,
  checks: PropertyDecorator[],
): PropertyDecorator {
  const late = JSONSchema(() => describe(schema(), options) as never);
  return (target, property) => {
    field({}, options, checks)(target, property);
    late(target, String(property));
  };
}
