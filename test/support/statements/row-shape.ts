import ts from 'typescript';

/** What a value of a row is in code: a class, or how typeof names it. */
export type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'array' | 'object' | 'any';

export interface Property {
  name: string;
  kind: Kind;
  isNullable: boolean;
}

export type RowShape = readonly Property[];

/** The row type of a call: its type argument, or what it was inferred to be. */
export function rowShapeOf(call: ts.CallExpression, checker: ts.TypeChecker): RowShape | undefined {
  const signature = checker.getResolvedSignature(call);
  const promised = signature && checker.getAwaitedType(signature.getReturnType());
  if (!promised) return undefined;
  const one = rowsIn(promised.getNonNullableType(), checker);
  const row = checker.isArrayType(one) ? checker.getTypeArguments(one as ts.TypeReference)[0] : one;
  return row && isRow(row) ? shapeOf(row, checker) : undefined;
}

/** The rows of a window, where that is what was promised. */
function rowsIn(promised: ts.Type, checker: ts.TypeChecker): ts.Type {
  const rows = promised.getProperty('rows');
  return rows && promised.getProperty('next') ? checker.getTypeOfSymbol(rows) : promised;
}

/** Neither a count, nor unknown, nor a type that only a caller knows. */
function isRow(type: ts.Type): boolean {
  return (
    (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.Union)) !== 0
  );
}

function shapeOf(row: ts.Type, checker: ts.TypeChecker): RowShape {
  return checker.getPropertiesOfType(row).map((property) => {
    const type = checker.getTypeOfSymbol(property);
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    return {
      name: property.name,
      kind: kindOf(type.getNonNullableType(), checker),
      isNullable: isOptional || allowsNull(type),
    };
  });
}

function allowsNull(type: ts.Type): boolean {
  const nothing = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => (flags & nothing) !== 0);
}

const flagsOf: readonly [ts.TypeFlags, Kind][] = [
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.Null, 'any'],
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
];

/** The shape of a union only when its members agree: what is more must be JSON. */
function kindOf(type: ts.Type, checker: ts.TypeChecker): Kind {
  if (type.isUnion()) {
    const kinds = new Set(type.types.map((member) => kindOf(member, checker)));
    return kinds.size === 1 ? ([...kinds][0] ?? 'any') : 'object';
  }
  const found = flagsOf.find(([flags]) => (type.flags & flags) !== 0);
  if (found) return found[1];
  if (type.isIntersection()) return kindOf(type.types[0] ?? type, checker);
  if (checker.isArrayType(type) || checker.isTupleType(type)) return 'array';
  const name = type.symbol?.name;
  return name === 'Date' || name === 'Buffer' ? name : 'object';
}
