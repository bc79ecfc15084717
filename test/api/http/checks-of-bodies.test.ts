import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { fieldsOf, isGood } from '../../../api/http/contract/validators';
import { routes } from '../../../api/routes';
import { newId } from '../../../entities/ids';

/** Whether an input is good is asked of its own checks; what class-validator says of it must be the same. */
type ClassOf = new () => object;

const inputs = [...new Set(routes.flatMap(({ spec: { body, query } }) => [body, query]))].filter(
  (type): type is ClassOf => typeof type === 'function',
);

const values: unknown[] = [
  ...[undefined, null, '', ' ', 'text', 'usd', 'active', 'guest', 'x'.repeat(300), '2026-01-01'],
  ...['2026-01-01T12:00:00Z', 'anna@example.com', 'https://shop.example/', '#ff0000', '12', 'true'],
  ...[0, 1, -1, 1.5, 400, 1e13, Number.NaN, true, false, {}, [], [null], ['a'], ['a', 'a'], [{}]],
  ...[newId(), [newId()], { a: 'b' }, { a: { b: 1 } }],
];
const odd = fc.constantFrom(...values);

/** Fields as they may be sent, mostly such as are good, with objects of their class where they hold such. */
function anyOf(type: ClassOf, depth = 2): fc.Arbitrary<object> {
  const fields = [...fieldsOf(type)].map(([name, { nested, tests, schema }]) => {
    const choices = (schema()['enum'] ?? []) as unknown[];
    const good = [...values, ...choices].filter((value) => tests.every((test) => test(value)));
    const plain = fc.constantFrom(...(good.length > 0 ? good : values));
    if (!nested || depth === 0) return [name, mostly(plain)] as const;
    const one = anyOf(nested(), depth - 1);
    const isList = tests.some((test) => !test({}));
    return [name, mostly(isList ? fc.array(one, { maxLength: 3 }) : one)] as const;
  });
  return fc
    .record(Object.fromEntries(fields))
    .map((sent) => Object.assign(new type(), sent) as object);
}

function mostly(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: good, weight: 14 }, { arbitrary: odd, weight: 1 });
}

let good = 0;
afterAll(() => expect(good).toBeGreaterThan(1_000));

it.each(inputs.map((type) => ({ name: type.name, type })))(
  'what $name holds is good where class-validator finds nothing wrong',
  ({ type }) => {
    const isSame = (instance: object): void => {
      const isFine = validateSync(instance, { forbidUnknownValues: true }).length === 0;
      expect(isGood(type, instance)).toBe(isFine);
      good += Number(isFine);
    };
    fc.assert(fc.property(anyOf(type), isSame), { numRuns: 100, seed: 20_261_128 });
  },
);
