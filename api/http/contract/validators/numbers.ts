import { check, field, type FieldOptions, type Schema } from './field';

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
  const normalise = (value: unknown): unknown =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return field(integerSchema(options), { ...options, normalise }, [integerCheck(options)]);
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
  const normalise = (value: unknown): unknown =>
    value === 'true' ? true : value === 'false' ? false : value;
  return field({ type: 'boolean' }, { ...options, normalise }, [
    check('flag', 'must be true or false', (value) => typeof value === 'boolean'),
  ]);
}
