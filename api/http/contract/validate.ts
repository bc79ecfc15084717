import { validateSync, type ValidationError } from 'class-validator';
import { AppError, validationError, type FieldProblem } from '../../../entities/errors';
import { isStorable } from './body/body';
import { pathOf } from './field-path';
import { maxProblems } from './error-envelope';
import { fieldsOf, isGood } from './validators';

/** Longest list where a field says nothing else. */
const maxItemsOfList = 1_000;

export interface ValidateOptions {
  /** Unknown fields: refused on dashboard endpoints, dropped elsewhere. */
  unknown: 'refuse' | 'ignore';
}

/**
 * Plain JSON -> an instance of the DTO class. VALIDATION_ERROR with every problem at once, save
 * where a body has more unknown fields, or longer lists, than are worth looking into.
 */
export function toInstance<T extends object>(
  type: new () => T,
  plain: object,
  { unknown }: ValidateOptions,
): T {
  const found: Found = { unknown: [], tooLong: [], refusesUnknown: unknown === 'refuse' };
  const instance = build(type, plain, { path: '', found });
  const problems = found.tooLong.length > 0 ? found.tooLong : flatten(check(type, instance));
  const details = [...problems, ...found.unknown];
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details });
  return instance;
}

/** VALIDATION_ERROR of fields that no class declares: all of them, or that they are many. */
export function refuseUnknown(fields: readonly string[]): never {
  throw new AppError('VALIDATION_ERROR', {
    details: fields.length > maxProblems ? [tooManyUnknown] : fields.map(unknownField),
  });
}

const tooManyUnknown: FieldProblem = {
  field: 'body',
  message: `has more than ${maxProblems} unknown fields`,
};

function unknownField(field: string): FieldProblem {
  return { field, message: 'is not a known field' };
}

interface Found {
  unknown: FieldProblem[];
  tooLong: FieldProblem[];
  refusesUnknown: boolean;
}

interface Walk {
  path: string;
  found: Found;
}

/**
 * One walk over what was sent: only fields that the class declares are taken over, normalised, and
 * built in turn where they are objects of a class. Names such as `constructor` are unknown ones.
 */
function build<T extends object>(type: new () => T, plain: object, { path, found }: Walk): T {
  const instance = new type() as Record<string, unknown>;
  const fields = fieldsOf(type);
  for (const [name, value] of Object.entries(plain) as [string, unknown][]) {
    const known = fields.get(name);
    const at = pathOf(path, name);
    if (known) instance[name] = read(known, value, { path: at, found });
    else if (found.refusesUnknown) noteUnknown(found, at);
  }
  return instance as T;
}

function noteUnknown({ unknown }: Found, field: string): void {
  unknown.push(unknownField(field));
  if (unknown.length > maxProblems) {
    throw new AppError('VALIDATION_ERROR', { details: [tooManyUnknown] });
  }
}

type Field = ReturnType<typeof fieldsOf> extends ReadonlyMap<string, infer F> ? F : never;

function read({ nested, maxItems, normalise }: Field, sent: unknown, walk: Walk): unknown {
  const { path, found } = walk;
  const max = maxItems ?? maxItemsOfList;
  if (Array.isArray(sent) && sent.length > max) {
    found.tooLong.push({ field: path, message: `must have at most ${max} items` });
    return sent;
  }
  const value = normalise ? normalise(sent) : sent;
  if (!nested) return value;
  const one = (item: unknown, at: string): unknown =>
    typeof item === 'object' && item !== null ? build(nested(), item, { path: at, found }) : item;
  return Array.isArray(value)
    ? value.map((item: unknown, index) => one(item, `${path}[${index}]`))
    : one(value, path);
}

function check(type: new () => object, instance: object): ValidationError[] {
  if (isGood(type, instance)) return [];
  return validateSync(instance, { forbidUnknownValues: true });
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
    const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
    return [...own.slice(0, 1), ...flatten(error.children ?? [], field)];
  });
}
