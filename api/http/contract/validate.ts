import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { AppError, validationError, type FieldProblem } from '../../../entities/errors';
import { isStorable } from './body/body';
import { boundProblems, knownOf, pathOf, unknownField } from './body/body-bounds';

// The package has no types for this module.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { defaultMetadataStorage } = require('class-transformer/cjs/storage') as {
  defaultMetadataStorage: {
    findTypeMetadata(
      type: object,
      property: string,
    ): { typeFunction(): new () => object } | undefined;
  };
};

export interface ValidateOptions {
  /** Unknown fields: refused on dashboard endpoints, dropped elsewhere. */
  unknown: 'refuse' | 'ignore';
}

/** Plain JSON -> an instance of the DTO class; VALIDATION_ERROR with every problem at once. */
export function toInstance<T extends object>(
  type: new () => T,
  plain: object,
  { unknown }: ValidateOptions,
): T {
  const refusesUnknown = unknown === 'refuse';
  const bounds = boundProblems(type, plain, { nestedType, refusesUnknown });
  if (bounds.length > 0) throw new AppError('VALIDATION_ERROR', { details: bounds });
  const instance = transform(type, refusesUnknown ? plain : knownOf(type, plain));
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: refusesUnknown,
    forbidUnknownValues: true,
  });
  const inherited = refusesUnknown ? inheritedNames(type, plain) : [];
  const details = [...flatten(errors), ...inherited];
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details });
  return instance;
}

function nestedType(type: object, property: string): (new () => object) | undefined {
  return defaultMetadataStorage.findTypeMetadata(type, property)?.typeFunction();
}

/** Names that every object inherits, such as `toString`: the libraries pass over them in silence. */
function inheritedNames(type: object, plain: object, parent = ''): FieldProblem[] {
  return Object.entries(plain).flatMap(([name, value]: [string, unknown]) => {
    const field = pathOf(parent, name);
    if (name in Object.prototype) return [unknownField(field)];
    const nested = nestedType(type, name);
    if (!nested || typeof value !== 'object' || value === null) return [];
    if (!Array.isArray(value)) return inheritedNames(nested, value, field);
    return value.flatMap((item: unknown, index) =>
      typeof item === 'object' && item !== null
        ? inheritedNames(nested, item, `${field}[${index}]`)
        : [],
    );
  });
}

/**
 * class-transformer asks every nested object for its `constructor`, which a client may have sent as
 * a field of its own. What the class declares no type for is therefore hidden from it and comes
 * through untouched; deeper down such a field is refused.
 */
function transform<T extends object>(type: new () => T, plain: object): T {
  const hidden = new Map<symbol, unknown>();
  const visible = Object.fromEntries(
    Object.entries(plain).map(([key, value]: [string, unknown]) => {
      if (!holdsObject(value) || defaultMetadataStorage.findTypeMetadata(type, key)) {
        return [key, value];
      }
      const stand = Symbol(key);
      hidden.set(stand, value);
      return [key, stand];
    }),
  );
  try {
    const instance = plainToInstance(type, visible, { exposeUnsetFields: false });
    for (const [key, value] of Object.entries(instance) as [string, unknown][]) {
      if (typeof value !== 'symbol') continue;
      Object.defineProperty(instance, key, { ...plainProperty, value: hidden.get(value) });
    }
    return instance;
  } catch (error) {
    if (error instanceof TypeError)
      throw validationError('body', 'has a field that cannot be read');
    throw error;
  }
}

const plainProperty = { enumerable: true, writable: true, configurable: true };

function holdsObject(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsObject);
  return typeof value === 'object' && value !== null;
}

/** The known parameters of a query string; a repeated one arrives as a list and fails its check. */
export function queryToInstance<T extends object>(
  type: new () => T,
  query: Record<string, string | string[] | undefined>,
): T {
  const instance = toInstance(type, query, { unknown: 'ignore' });
  for (const [name, value] of Object.entries(instance)) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw validationError(name, 'must not contain NUL or lone surrogates');
    }
  }
  return instance;
}

/** Nested problems are only in `children`: walk them all, or they vanish. */
function flatten(errors: ValidationError[], parent = ''): FieldProblem[] {
  return errors.flatMap((error) => {
    const field = pathOf(parent, error.property);
    const own = Object.entries(error.constraints ?? {}).map(([kind, message]) => ({
      field,
      message: kind === 'whitelistValidation' ? 'is not a known field' : message,
    }));
    return [...own.slice(0, 1), ...flatten(error.children ?? [], field)];
  });
}
