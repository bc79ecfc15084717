import {
  maxCustomerAliases,
  maxCustomerIdLength,
} from '../../../../entities/rules/customers/binding';
import {
  customerIdOf,
  namesNobody,
  withoutUnseenEnds,
} from '../../../../entities/rules/values/identifier';
import { check, field, type FieldOptions } from './field';
import { Texts } from './lists';
import { lengthOf, textBy } from './text';

const max = maxCustomerIdLength;

/** A merchant's id of a customer where one must be named. */
export function CustomerId(options: FieldOptions = {}): PropertyDecorator {
  const normalise = textBy(withoutUnseenEnds);
  const schema = { type: 'string', minLength: 1, maxLength: max };
  const isPresent = (value: unknown): value is string => typeof value === 'string' && value !== '';
  return field(schema, { ...options, normalise }, [
    check('someone', 'must name one customer: programs write this for none', (value) =>
      isPresent(value) ? !namesNobody(value) : true,
    ),
    check(
      'text',
      `must be text of 1 to ${max} characters`,
      (value) => isPresent(value) && lengthOf(value) <= max,
    ),
  ]);
}

/** One that may be told: what names nobody is null, so that strangers never become one customer. */
export function ToldCustomerId(options: FieldOptions = {}): PropertyDecorator {
  const normalise = (value: unknown): unknown =>
    typeof value === 'string' ? customerIdOf(value) : value;
  return field({ type: 'string', maxLength: max }, { ...options, normalise }, [
    check(
      'text',
      `must be text of at most ${max} characters`,
      (value) => typeof value === 'string' && lengthOf(value) <= max,
    ),
  ]);
}

/** Further ids of a customer; those that name nobody are left out. */
export function CustomerAliases(options: FieldOptions = {}): PropertyDecorator {
  return Texts({
    ...options,
    max: maxCustomerAliases,
    length: max,
    normaliseItem: textBy(withoutUnseenEnds),
    leaveOut: (item) => typeof item === 'string' && item !== '' && namesNobody(item),
  });
}
