import { getMetadataStorage } from 'class-validator';
import type { FieldProblem } from '../../entities/errors';
import { longestListOf } from './validators';

/** No answer tells more problems than this. */
export const mostProblems = 20;

/** Longest list where a field says nothing else. */
const longestList = 1_000;

interface Walk {
  nestedType(type: object, property: string): (new () => object) | undefined;
  refusesUnknown: boolean;
}

/**
 * What can be said of a body before it is looked at field by field, so that a refusal never costs
 * more than its reader gets: unknown fields, all of them together, and lists that are too long.
 */
export function boundProblems(type: object, plain: object, walk: Walk): FieldProblem[] {
  const unknown: string[] = [];
  const tooLong: FieldProblem[] = [];
  const queue = [{ type, value: plain, path: '' }];
  for (let item = queue.pop(); item; item = queue.pop()) {
    const known = knownFields(item.type);
    for (const name in item.value) {
      if (!Object.hasOwn(item.value, name)) continue;
      if (!known.has(name)) {
        if (walk.refusesUnknown) unknown.push(pathOf(item.path, name));
        if (unknown.length > mostProblems) return [tooManyUnknown];
        continue;
      }
      const value = (item.value as Record<string, unknown>)[name];
      const path = pathOf(item.path, name);
      const problem = Array.isArray(value) && lengthProblem(item.type, { name, path, value });
      if (problem) tooLong.push(problem);
      const nested = problem ? undefined : walk.nestedType(item.type, name);
      if (nested) queue.push(...objectsIn(value, path).map((one) => ({ ...one, type: nested })));
    }
  }
  // Few unknown fields are told together with what else is wrong; a long list is not looked into.
  return tooLong.length === 0 ? [] : [...tooLong, ...unknown.map(unknownField)];
}

export const tooManyUnknown: FieldProblem = {
  field: 'body',
  message: `has more than ${mostProblems} unknown fields`,
};

export function unknownField(field: string): FieldProblem {
  return { field, message: 'is not a known field' };
}

export function pathOf(parent: string, property: string): string {
  if (/^\d+$/.test(property) && parent !== '') return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}

function lengthProblem(
  type: object,
  { name, path, value }: { name: string; path: string; value: unknown[] },
): FieldProblem | undefined {
  const most = longestListOf(type, name) ?? longestList;
  return value.length > most
    ? { field: path, message: `must have at most ${most} items` }
    : undefined;
}

function objectsIn(value: unknown, path: string): { value: object; path: string }[] {
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  return items.flatMap((item, index) =>
    typeof item === 'object' && item !== null
      ? [{ value: item, path: Array.isArray(value) ? `${path}[${index}]` : path }]
      : [],
  );
}

/** A body without the fields that its class does not declare. */
export function knownOf(type: object, plain: object): object {
  const known = knownFields(type);
  const values = plain as Record<string, unknown>;
  const names = [...known].filter((name) => Object.hasOwn(values, name));
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

const knownByType = new WeakMap<object, Set<string>>();

/** The fields that a class declares a check for. */
function knownFields(type: object): Set<string> {
  const kept = knownByType.get(type);
  if (kept) return kept;
  const checks = getMetadataStorage().getTargetValidationMetadatas(
    type as () => unknown,
    '',
    false,
    false,
  );
  const known = new Set(checks.map(({ propertyName }) => propertyName));
  knownByType.set(type, known);
  return known;
}
