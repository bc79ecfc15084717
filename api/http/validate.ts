import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { AppError, validationError, type FieldProblem } from '../../entities/errors';
import { isStorable } from './body';

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
  const instance = plainToInstance(type, plain, { exposeUnsetFields: false });
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: unknown === 'refuse',
    forbidUnknownValues: true,
  });
  if (errors.length > 0) throw new AppError('VALIDATION_ERROR', { details: flatten(errors) });
  return instance;
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

function pathOf(parent: string, property: string): string {
  if (/^\d+$/.test(property) && parent !== '') return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}
