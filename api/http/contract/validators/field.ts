import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

/** One decorator per field: it validates requests and gives the schema of the OpenAPI document. */
export interface FieldOptions {
  /** The field may be absent. */
  optional?: boolean;
  /** The field may be null. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

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

export function field(schema: Schema, options: FieldOptions, checks: PropertyDecorator[]) {
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
  const notes = notesOf(options);
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

function notesOf({ description, example }: FieldOptions): Schema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

type Test = (value: unknown, args?: ValidationArguments) => boolean;

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
  return ValidateBy(
    { name, validator: { validate, defaultMessage: () => message } },
    { each, message },
  );
}

/** Schemas of other classes are looked up late: decorators run before the classes are complete. */
export function deferred(
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
