import { ValidateNested } from 'class-validator';
import { isUuid } from '../../../../entities/ids';
import {
  check,
  checkEach,
  field,
  schemaRef,
  type ClassOf,
  type FieldOptions,
  type Schema,
  type Shape,
} from './field';

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of another DTO class. */
export function Nested(type: () => ClassOf, options: FieldOptions = {}): PropertyDecorator {
  return field(() => schemaRef(type()), { ...options, nested: type }, [
    check('object', 'must be an object', isObject),
    ValidateNested({ message: 'must be an object' }),
  ]);
}

export interface ListOptions extends FieldOptions {
  min?: number;
  max?: number;
}

/** A list of objects of another DTO class. */
export function ListOf(type: () => ClassOf, options: ListOptions = {}): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const shape = { ...options, nested: type, maxItems: options.max };
  return field(() => listSchema(schemaRef(type()), options), shape, [
    check('list', 'must be a list', Array.isArray),
    check('min', `must have at least ${min} items`, (v) => Array.isArray(v) && v.length >= min),
    check('max', `must have at most ${max} items`, (v) => Array.isArray(v) && v.length <= max),
    checkEach('objects', 'each item must be an object', isObject),
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
  /** Changes each item before it is validated. */
  normaliseItem?: (item: unknown) => unknown;
  /** Items for which this is true count as not sent. */
  leaveOut?: (item: unknown) => boolean;
}

/** A list of plain values. */
export function Values(options: ValuesOptions): PropertyDecorator {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const shape: Shape = { maxItems: options.max, normalise: listNormaliser(options) };
  const size = `must have ${min} to ${max} items`;
  return field(listSchema(options.item, options), { ...options, ...shape }, [
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

function listNormaliser({
  normaliseItem = (item) => item,
  leaveOut = () => false,
}: ValuesOptions): NonNullable<Shape['normalise']> {
  return (value) =>
    Array.isArray(value) ? value.map(normaliseItem).filter((item) => !leaveOut(item)) : value;
}

export function Uuids(options: ListOptions & { distinct?: boolean } = {}): PropertyDecorator {
  return Values({
    ...options,
    item: { type: 'string', format: 'uuid' },
    valid: isUuid,
    message: 'each item must be a UUID',
    normaliseItem: (item) => (typeof item === 'string' ? item.toLowerCase() : item),
  });
}

export function Texts(
  options: ListOptions &
    Pick<ValuesOptions, 'distinct' | 'normaliseItem' | 'leaveOut'> & { length?: number } = {},
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
