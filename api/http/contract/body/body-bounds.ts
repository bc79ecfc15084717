import { getMetadataStorage } from 'class-validator';
import type { FieldProblem } from '../../../../entities/errors';
import { longestListOf } from '../validators';

/** No answer lists more problems than this. */
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
  const found: Found = { unknown: [], tooLong: [] };
  const queue: Item[] = [{ type, value: plain, path: '' }];
  for (let item = queue.pop(); item; item = queue.pop()) {
    queue.push(...look(item, walk, found));
    if (found.unknown.length > mostProblems) return [tooManyUnknown];
  }
  // Few unknown fields are listed together with what else is wrong; a long list is not looked into.
  const { unknown, tooLong } = found;
  return tooLong.length === 0 ? [] : [...tooLong, ...unknown.map(unknownField)];
}

interface Item {
  type: object;
  value: object;
  path: string;
}

interface Found {
  unknown: string[];
  tooLong: FieldProblem[];
}

/** Notes what is wrong with an object itself; gives the objects in it. */
function look(item: Item, { nestedType, refusesUnknown }: Walk, found: Found): Item[] {
  const known = knownFields(item.type);
  const inside: Item[] = [];
  for (const [name, value] of Object.entries(item.value) as [string, unknown][]) {
    if (found.unknown.length > mostProblems) return [];
    const path = pathOf(item.path, name);
    if (!known.has(name)) {
      if (refusesUnknown) found.unknown.push(path);
      continue;
    }
    const problem = lengthProblem(item.type, { name, path, value });
    const type = nestedType(item.type, name);
    if (problem) found.tooLong.push(problem);
    else if (type) inside.push(...objectsIn(value, path).map((one) => ({ ...one, type })));
  }
  return inside;
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
  { name, path, value }: { name: string; path: string; value: unknown },
): FieldProblem | undefined {
  if (!Array.isArray(value)) return undefined;
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
