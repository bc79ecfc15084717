import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

export interface SeenResponse {
  method: string;
  path: string;
  status: number;
  body: unknown;
  isJson: boolean;
}

interface Documented {
  pattern: RegExp;
  method: string;
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
  schemas: Json;
}

/** What a path or method that no operation documents may answer, and what comes before any route. */
const undocumented = [404, 405];

/** Throws when an answer is not what the OpenAPI documents promise. */
export function createResponseChecker(documents: Json[]): (seen: SeenResponse) => void {
  const operations = documents.flatMap(operationsOf);
  const validators = new Map<unknown, ValidateFunction>();
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));

  return ({ method, path, status, body, isJson }) => {
    const pathname = path.split('?')[0] ?? '';
    const operation = operations.find(
      (candidate) => candidate.method === method.toLowerCase() && candidate.pattern.test(pathname),
    );
    // Unknown paths and methods answer 404 and 405, which no operation documents.
    if (!operation) {
      if (undocumented.includes(status)) return;
      throw new Error(`${method} ${pathname} is in no document and answers ${status}`);
    }
    const response = operation.responses[String(status)];
    if (!response) throw new Error(`${method} ${pathname} does not document status ${status}`);
    const schema = response.content?.['application/json']?.schema;
    if (!schema || !isJson) return;

    const known = validators.get(schema);
    const validate =
      known ?? ajv.compile({ ...strict(schema), components: { schemas: operation.schemas } });
    validators.set(schema, validate);
    if (!validate(body)) {
      const problems = ajv.errorsText(validate.errors);
      throw new Error(`${method} ${pathname} ${status} breaks its schema: ${problems}`);
    }
  };
}

function operationsOf(document: Json): Documented[] {
  const { schemas } = document['components'] as { schemas: Json };
  const strictSchemas = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      // Errors may bring members of their own (bulk results).
      strict(schema as Json, name !== 'ErrorDto'),
    ]),
  );
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\./g, '\\.')}$`),
        literal: !path.includes('{'),
        method,
        responses: operation['responses'] as Documented['responses'],
        schemas: strictSchemas,
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
