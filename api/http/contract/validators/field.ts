import { ValidateBy, ValidateIf } from 'class-validator';

/** One decorator per field: it validates requests and gives the schema of the OpenAPI document. */
export interface FieldOptions {
  /** The field may be absent. */
  optional?: boolean;
  /** The field may be null. */
  nullable?: boolean;
  /** What is empty, as it is sent or as it is normalised, is null. */
  emptyIsNull?: boolean;
  description?: string;
  example?: unknown;
}

/** A field that may be null. */
export const nullable = { nullable: true } as const;

/** A field that may be absent, or null to say the same. */
export const absent = { optional: true, ...nullable } as const;

/** One of a program that reports: an empty text says the same, too. */
export const untold = { ...absent, emptyIsNull: true } as const;

export type Schema = Record<string, unknown>;
export type ClassOf = new () => object;

/** The classes that schemas refer to, by name. */
export const schemaClasses = new Map<string, ClassOf>();

export function schemaRef(type: ClassOf): Schema {
  const known = schemaClasses.get(type.name);
  if (known && known !== type) throw new Error(`two DTO classes are called ${type.name}`);
  schemaClasses.set(type.name, type);
  return { $ref: `#/components/schemas/${type.name}` };
}

/** What reading a body has to know of a field; what it must be like, its checks say. */
export interface Shape {
  /** It is an object of this class, or a list of them. */
  nested?: () => ClassOf;
  /** Longest list that is looked into; 1,000 where a field says nothing. */
  maxItems?: number | undefined;
  /** Changes what was sent, before the checks. */
  normalise?: (value: unknown) => unknown;
}

export interface KnownField extends Shape {
  isRequired: boolean;
  isNullable: boolean;
  /** What its checks ask; a nested object is asked by its own class. */
  tests: readonly Test[];
  /** The field's schema in the OpenAPI document. */
  schema: () => Schema;
}

const declared = new WeakMap<object, Map<string, KnownField>>();

const all = new WeakMap<object, ReadonlyMap<string, KnownField>>();

/** The fields of a class by name, with those that it inherits. */
export function fieldsOf(type: object): ReadonlyMap<string, KnownField> {
  const known = all.get(type);
  if (known) return known;
  const parent: unknown = Object.getPrototypeOf(type);
  const inherited = typeof parent === 'function' ? fieldsOf(parent) : [];
  const fields = new Map([...inherited, ...(declared.get(type) ?? [])]);
  all.set(type, fields);
  return fields;
}

/** `schema` as a function where it refers to a class: decorators run before the classes are complete. */
export function field(
  schema: Schema | (() => Schema),
  options: FieldOptions & Shape,
  checks: PropertyDecorator[],
): PropertyDecorator {
  return (target, key) => {
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
    ];
    for (const decorate of all) decorate(target, property);
    const { nested, maxItems } = options;
    const normalise = normaliserOf(options);
    const known = declared.get(target.constructor) ?? new Map<string, KnownField>();
    declared.set(target.constructor, known);
    known.set(property, {
      ...(nested && { nested }),
      ...(normalise && { normalise }),
      maxItems,
      isRequired: !options.optional,
      isNullable: options.nullable === true,
      tests: checks.flatMap((decorate) => testsBy.get(decorate) ?? []),
      schema: () => describe(typeof schema === 'function' ? schema() : schema, options),
    });
  };
}

function normaliserOf({ normalise, emptyIsNull }: FieldOptions & Shape): Shape['normalise'] {
  if (!emptyIsNull) return normalise;
  return (value) => {
    const normal = value === '' || !normalise ? value : normalise(value);
    return normal === '' ? null : normal;
  };
}

/** OpenAPI 3.0 has no type of null, and knows `nullable` beside a `type` only. */
const nullSchema = { type: 'object', nullable: true, enum: [null] };

function describe(schema: Schema, options: FieldOptions): Schema {
  const notes = notesOf(options);
  if ('$ref' in schema) {
    if (options.nullable) return { oneOf: [schema, nullSchema], ...notes };
    return Object.keys(notes).length === 0 ? schema : { allOf: [schema], ...notes };
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

function notesOf({ description, example }: FieldOptions): Schema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

type Test = (value: unknown) => boolean;

const testsBy = new WeakMap<PropertyDecorator, Test>();

/**
 * Whether an instance passes every check, which is what nearly all do. What is wrong with one that does not,
 * class-validator says: it looks through all classes of the process for each object, whatever that has.
 */
export function isGood(type: ClassOf, instance: object): boolean {
  const fields = fieldsOf(type);
  // A class that declares nothing lets nothing pass.
  if (fields.size === 0) return false;
  for (const [name, known] of fields) {
    if (!isGoodField(known, (instance as Record<string, unknown>)[name])) return false;
  }
  return true;
}

function isGoodField({ isRequired, isNullable, tests, nested }: KnownField, value: unknown) {
  if (value === undefined && !isRequired) return true;
  if (value === null && isNullable) return true;
  if (!tests.every((test) => test(value))) return false;
  if (!nested || value === undefined) return true;
  const objects: unknown[] = Array.isArray(value) ? value : [value];
  return objects.every((one) => typeof one === 'object' && one !== null && isGood(nested(), one));
}

/** A check with its message. */
export function check(name: string, message: string, validate: Test): PropertyDecorator {
  return checkBy({ name, message, each: false }, validate);
}

/** A check of every item of a list. */
export function checkEach(name: string, message: string, validate: Test): PropertyDecorator {
  return checkBy({ name, message, each: true }, validate);
}

function checkBy(
  { name, message, each }: { name: string; message: string; each: boolean },
  validate: Test,
): PropertyDecorator {
  const decorate = ValidateBy(
    { name, validator: { validate, defaultMessage: () => message } },
    { each, message },
  );
  testsBy.set(
    decorate,
    each ? (value) => (Array.isArray(value) ? value.every(validate) : validate(value)) : validate,
  );
  return decorate;
}
