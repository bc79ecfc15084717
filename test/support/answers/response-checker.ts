import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

export interface SeenResponse {
  method: string;
  path: string;
  status: number;
  body: unknown;
  isJson: boolean;
  location?: string | null;
}

interface Documented {
  pattern: RegExp;
  method: string;
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
  /** The name under which its document's schemas are known. */
  base: string;
}

/** What a path or method that no operation documents may answer, and what comes before any route. */
const undocumented = [404, 405];

/** What is wrong with an answer, or nothing. */
export type ResponseChecker = (seen: SeenResponse) => string | undefined;

declare global {
  /** The environment of each suite sets it, so that all of a worker share what is compiled. */
  var responseCheckerOf: typeof checkerOf;
}

const checkers = new Map<string, ResponseChecker>();

/** The checker of a file's documents, compiled by the first who asks. */
export function checkerOf(file: string): ResponseChecker {
  const known = checkers.get(file);
  if (known) return known;
  const checker = createResponseChecker(JSON.parse(readFileSync(file, 'utf8')) as Json[]);
  checkers.set(file, checker);
  return checker;
}

/** Tells where an answer is not what the OpenAPI documents promise. */
export function createResponseChecker(documents: Json[]): ResponseChecker {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
  const operations = documents.flatMap((document, n) => operationsOf(document, `document-${n}`));
  documents.forEach((document, n) => ajv.addSchema(schemasOf(document), `document-${n}`));
  const validators = new Map<unknown, ValidateFunction>();

  const operationAt = (method: string, pathname: string) =>
    operations.find((one) => one.method === method && one.pattern.test(pathname));

  return ({ method, path, status, body, isJson, location }) => {
    const pathname = path.split('?')[0] ?? '';
    const operation = operationAt(method.toLowerCase(), pathname);
    // Unknown paths and methods answer 404 and 405, which no operation documents.
    if (!operation) {
      if (undocumented.includes(status)) return undefined;
      return `${method} ${pathname} is in no document and answers ${status}`;
    }
    const response = operation.responses[String(status)];
    if (!response) return `${method} ${pathname} does not document status ${status}`;
    const schema = response.content?.['application/json']?.schema;
    if (!schema || !isJson) return undefined;
    if (status === 201 && !operationAt('get', location ?? '')) {
      return `${method} ${pathname} made a record, and nobody can read ${location}`;
    }

    const validate = validators.get(schema) ?? ajv.compile(within(strict(schema), operation.base));
    validators.set(schema, validate);
    if (validate(body)) return undefined;
    return `${method} ${pathname} ${status} breaks its schema: ${ajv.errorsText(validate.errors)}`;
  };
}

/** The named schemas of a document, which all its operations refer to. */
function schemasOf(document: Json): Json {
  const { schemas } = document['components'] as { schemas: Json };
  const strictSchemas = Object.entries(schemas).map(([name, schema]) => [
    name,
    // Errors may bring members of their own (bulk results).
    strict(schema as Json, name !== 'ErrorDto'),
  ]);
  return { components: { schemas: Object.fromEntries(strictSchemas) } };
}

/** A schema whose references are read in the document of this name. */
function within<T>(node: T, base: string): T {
  if (Array.isArray(node)) return node.map((one: unknown) => within(one, base)) as T;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => [
      key,
      key === '$ref' ? `${base}${String(value)}` : within(value, base),
    ]),
  ) as T;
}

function operationsOf(document: Json, base: string): Documented[] {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\./g, '\\.')}$`),
        literal: !path.includes('{'),
        method,
        responses: operation['responses'] as Documented['responses'],
        base,
      })),
    )
    .sort((a, b) => Number(b.literal) - Number(a.literal));
}

/** OpenAPI 3.0 -> JSON Schema, with unknown members refused so that nothing leaks unnoticed. */
function strict(node: Json, closed = true): Json {
  const mapped = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, strictValue(value, closed)]),
  );
  const { nullable, ...rest } = mapped;
  const isObject = rest['type'] === 'object' && rest['properties'] !== undefined;
  const sealed =
    isObject && closed && rest['additionalProperties'] === undefined
      ? { ...rest, additionalProperties: false }
      : rest;
  return nullable === true ? { anyOf: [sealed, { type: 'null' }] } : sealed;
}

function strictValue(value: unknown, closed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => strictValue(item, closed));
  return typeof value === 'object' && value !== null ? strict(value as Json, closed) : value;
}
