import ts from 'typescript';

interface Guesses {
  /** Sources of values that the type allows. */
  values: string[];
  /** Whether these are all that it allows. */
  isExact: boolean;
}

/** What stands for a text that is made elsewhere: a condition, or nothing. */
const texts = ["'true'", "''", "'id'"];
const maxDepth = 3;
const maxProperties = 40;

/** Values of a type, to make a statement with: all literals of a union, else an example. */
export function guessesOf(type: ts.Type, checker: ts.TypeChecker): Guesses {
  const literals = literalsOf(type);
  if (literals) return { values: literals, isExact: true };
  if (type.flags & ts.TypeFlags.StringLike) return { values: texts, isExact: false };
  return { values: [exampleOf(type, checker, 0)], isExact: false };
}

function literalsOf(type: ts.Type): string[] | undefined {
  const parts = type.isUnion() ? type.types : [type];
  const literals = parts.map(literalOf);
  return literals.every((literal) => literal !== undefined) ? literals : undefined;
}

function literalOf(type: ts.Type): string | undefined {
  if (type.isStringLiteral() || type.isNumberLiteral()) return JSON.stringify(type.value);
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return (type as ts.Type & { intrinsicName: string }).intrinsicName;
  }
  return undefined;
}

function exampleOf(whole: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const type = whole.getNonNullableType();
  const [literal] = literalsOf(type) ?? [];
  if (literal !== undefined) return literal;
  if (type.flags & ts.TypeFlags.StringLike) return "'true'";
  if (type.flags & ts.TypeFlags.NumberLike) return '1';
  if (checker.isArrayType(type) || checker.isTupleType(type)) return '[]';
  const name = type.symbol?.name ?? '';
  if (name === 'Date') return 'new Date(0)';
  if (name.endsWith('Map')) return 'new Map()';
  return objectOf(type, checker, depth);
}

function objectOf(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const properties = type.getProperties();
  if (depth === maxDepth || properties.length > maxProperties) return '{}';
  const members = properties.map((property) => {
    const of = checker.getTypeOfSymbol(property);
    return `${JSON.stringify(property.name)}: ${exampleOf(of, checker, depth + 1)}`;
  });
  return `({ ${members.join(', ')} })`;
}
