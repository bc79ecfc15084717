export type Json = Record<string, unknown>;
type Path = readonly (string | 0)[];

/** What no field takes for a value, or few do: as JSON, since some of it is no value of ours. */
export const oddValues: readonly string[] = [
  ...['null', 'true', '[]', '{}', '[null]', '[[]]', '[{}]', '{"a":{"b":null}}', '""', '" "'],
  ...['0', '-1', '0.5', '-0', '1e308', '1e400', '9007199254740993', '-9223372036854775809'],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u202e"',
    '"\\ufeff"',
    '"\\uffff"',
  ],
  ...['"NaN"', '"Infinity"', '"-1"', '"1e9"', '"undefined"', '"%00"', '"\'"', '"__proto__"'],
  ...['{"__proto__":{"a":1}}', '{"constructor":1}', '{"toString":null}'],
  ...['"2026-13-45"', '"2026-02-30T00:00:00Z"', '"0000-01-01T00:00:00Z"', '"9999-12-31T23:59:60Z"'],
  ...[
    '"+275760-09-13T00:00:00.001Z"',
    '"-000001-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59.999999999Z"',
  ],
  ...['"2026-01-01T00:00:00+99:99"', '"9999-12-31T23:59:59-23:59"', '"0001-01-01T00:00:00+23:59"'],
  ...['"https://[::"', '"http://\\u0000"', '"https://xn--"', '"javascript:1"', '"a@b"'],
  JSON.stringify('x'.repeat(10_000)),
  JSON.stringify('\u{1f600}'.repeat(2_000)),
  JSON.stringify(Array.from({ length: 300 }, () => 'a')),
  '['.repeat(200) + ']'.repeat(200),
];

/** The same as a query. */
export function oddQueries(name: string): string[] {
  const values = [
    ...['', '%20', 'null', '[]', '%00', 'a%00b', '%ff', '%ED%A0%80', '%E2%80%AE', '%EF%BB%BF', '%'],
    ...['-1', '0', '0.5', '1e308', '99999999999999999999', 'NaN', '0x10', '+1', 'true', "'", '%5C'],
    ...['2026-13-45', '2026-02-30', '0000-01-01', '9999-12-31', '2026-02-30T00:00:00Z'],
    ...['%2B275760-09-13T00:00:00.001Z', '-000001-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'],
    ...['0001-01-01T00:00:00%2B23:59', '0001-01-01', 'x'.repeat(5_000), '%F0%9F%98%80'.repeat(300)],
    ...[
      '00000000-0000-0000-0000-000000000000',
      '__proto__',
      'constructor',
      'a,b,,',
      ','.repeat(500),
    ],
  ];
  return [
    ...values.map((value) => `${name}=${value}`),
    ...[`${name}`, `${name}=a&${name}=b`, `${name}[]=a`, `${name}[a]=b`, `${name}[0]=`],
  ];
}

/** The body as it is sent, with the value at that place. */
export function withValue(body: Json, path: Path, value: string): string {
  const mark = '"@@the value@@"';
  return JSON.stringify(placed(body, path)).replace(mark, () => value);
}

function placed(within: unknown, [head, ...rest]: Path): unknown {
  if (head === undefined) return '@@the value@@';
  if (head === 0) return [placed((within as unknown[] | undefined)?.[0], rest)];
  const object = (within ?? {}) as Json;
  return { ...object, [head]: placed(object[head], rest) };
}

/** The fields that a document tells of an operation; undefined when it has none such. */
export function fieldsIn(
  document: Json,
  method: string,
  path: string,
): { body: Path[]; query: string[] } | undefined {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method];
  if (!operation) return undefined;
  const content = (
    operation['requestBody'] as { content?: Record<string, { schema: Json }> } | undefined
  )?.content;
  const schema = content?.['application/json']?.schema;
  const parameters = (operation['parameters'] ?? []) as { in: string; name: string }[];
  return {
    body: schema ? placesIn(document, schema, 0) : [],
    query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  };
}

function placesIn(document: Json, given: Json, depth: number): Path[] {
  const schema = resolved(document, given);
  if (depth > 4) return [];
  const own = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(
    ([name, inner]) => [
      [name],
      ...placesIn(document, inner, depth + 1).map((rest) => [name, ...rest]),
    ],
  );
  const items = schema['items'] as Json | undefined;
  const inItems = items
    ? [[0 as const], ...placesIn(document, items, depth + 1).map((rest) => [0 as const, ...rest])]
    : [];
  const variants = ['oneOf', 'anyOf', 'allOf'].flatMap((key) =>
    ((schema[key] ?? []) as Json[]).flatMap((inner) => placesIn(document, inner, depth)),
  );
  return [...own, ...inItems, ...variants];
}

function resolved(document: Json, schema: Json): Json {
  const reference = schema['$ref'] as string | undefined;
  if (!reference) return schema;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, key) => (inner as Json)[key], document) as Json;
}
