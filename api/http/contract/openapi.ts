import { declaredCodes } from './declared-codes';
import { AppError, errorRegistry, toldCode, type ErrorCode } from '../../../entities/errors';
import type { Auth } from './credential';
import type { AnyContractSpec, ResponseSpec } from './contract';
import { ErrorDto, toEnvelope } from './error-envelope';
import { exampleOf } from './example';
import type { Route } from './route';
import { fieldsOf, schemaClasses, schemaRef } from './validators';

type Json = Record<string, unknown>;

export interface DocumentOptions {
  openapi: '3.0.3' | '3.1.0';
  title: string;
  description: string;
  version: string;
  serverUrl: string;
  /** What people read first. */
  externalDocs?: { description: string; url: string };
  /** Which operations belong to this document. */
  includes: (path: string) => boolean;
  tags: { name: string; description: string }[];
  /** Payloads of outbound events. */
  eventClasses?: readonly (new () => object)[];
}

/** Writes an OpenAPI document from the contracts of the routes. */
export function buildDocument(routes: readonly Route[], options: DocumentOptions): Json {
  const operations = routes.filter(({ path }) => options.includes(path));
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation) };
  }
  const webhooks = describeWebhooks(options.eventClasses ?? []);
  const used = new Set(operations.map(({ tag }) => tag));
  const document = {
    openapi: options.openapi,
    info: {
      title: options.title,
      description: options.description,
      version: options.version,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: options.serverUrl }],
    ...(options.externalDocs ? { externalDocs: options.externalDocs } : {}),
    tags: options.tags.filter(({ name }) => used.has(name)),
    paths,
    ...(webhooks ? { 'x-webhooks': webhooks } : {}),
    components: {
      securitySchemes: securitySchemes(operations),
      schemas: reachableSchemas([paths, webhooks]),
    },
  };
  return options.openapi === '3.1.0' ? (toJsonSchema2020(document) as Json) : document;
}

/** What we post to receivers: OpenAPI 3.0 knows webhooks as an extension. */
function describeWebhooks(classes: readonly (new () => object)[]): Json | undefined {
  if (classes.length === 0) return undefined;
  return Object.fromEntries(
    classes.map((type) => [
      type.name,
      {
        post: {
          operationId: `receive${type.name}`,
          summary: `${type.name}, posted to your endpoint`,
          tags: ['Webhooks'],
          security: [],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaRef(type) } },
          },
          responses: { '200': { description: 'Any 2xx: the delivery succeeded.' } },
        },
      },
    ]),
  );
}

function describeOperation({ method, path, name, tag, spec }: Route): Json {
  return {
    operationId: name,
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    tags: [tag],
    ...(spec.deprecated ? { deprecated: true } : {}),
    security: security(spec.auth),
    parameters: [...pathParameters(path, spec), ...queryParameters(spec), ...headers(method, spec)],
    ...requestBody(method, spec),
    responses: responses(method, spec),
  };
}

const bearerKinds = ['merchant', 'partner'];

type SchemeName = 'accessToken' | 'secretKey' | 'publicKey' | 'managementKey';

/** Each of them alone is enough. */
function security(auth: Auth<unknown>): Json[] {
  return schemesOf(auth).map((name) => ({ [name]: [] }));
}

function schemesOf({ kind, personOnly }: Auth<unknown>): SchemeName[] {
  switch (kind) {
    case 'open':
      return [];
    case 'partner':
      return ['accessToken'];
    case 'merchant':
      return personOnly ? ['accessToken'] : ['accessToken', 'managementKey'];
    case 'secretKeyOrMerchant':
      return ['secretKey', 'accessToken', 'managementKey'];
    case 'secretKey':
      return ['secretKey'];
    case 'publicKey':
      return ['publicKey', 'secretKey', 'managementKey'];
  }
}

function securitySchemes(operations: readonly Route[]): Json {
  if (operations.every(({ spec }) => spec.auth.kind === 'open')) return {};
  const scheme = (description: string): Json => ({ type: 'http', scheme: 'bearer', description });
  return {
    accessToken: scheme('Access token of a merchant or partner, from the login endpoints.'),
    secretKey: scheme('Secret key, sk_test_* or sk_live_*. Servers only.'),
    publicKey: scheme('Public key, pk_test_* or pk_live_*. May be seen in a browser.'),
    managementKey: scheme(
      'Management key, mk_test_* or mk_live_*: a member of its role, in its mode and, when it is bound to one, its programme. Servers only.',
    ),
  } satisfies Record<SchemeName, Json>;
}

function pathParameters(path: string, spec: AnyContractSpec): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const isUuid = typeof spec.params?.[name] === 'string';
    return {
      name,
      in: 'path',
      required: true,
      schema: isUuid ? { type: 'string', format: 'uuid' } : { type: 'string' },
    };
  });
}

function queryParameters(spec: AnyContractSpec): Json[] {
  if (!spec.query) return [];
  const schema = classSchema(spec.query);
  const required = (schema['required'] as string[] | undefined) ?? [];
  return Object.entries(schema['properties'] as Record<string, Json>).map(([name, property]) => {
    const { description, example, ...rest } = property;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
      schema: rest,
    };
  });
}

function headers(method: string, spec: AnyContractSpec): Json[] {
  const { kind, ignoreMode } = spec.auth;
  const takesMode = (bearerKinds.includes(kind) || kind === 'secretKeyOrMerchant') && !ignoreMode;
  const takesKey = method === 'post' && kind !== 'open' && spec.idempotency !== 'none';
  return [
    ...(takesMode
      ? [
          header('X-Mode', 'Which data; live by default. A management key has its own.', {
            type: 'string',
            enum: ['test', 'live'],
            default: 'live',
          }),
        ]
      : []),
    ...(takesKey
      ? [
          header('Idempotency-Key', 'Replays the first answer for 24 hours.', {
            type: 'string',
            minLength: 1,
            maxLength: 255,
          }),
        ]
      : []),
    ...Object.entries(spec.headers ?? {}).map(([name, { description, schema }]) =>
      header(name, description, schema),
    ),
  ];
}

function header(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: false, description, schema };
}

const anyJson = { 'application/json': { schema: { type: 'object' } } };

function requestBody(method: string, spec: AnyContractSpec): Json {
  if (spec.rawType) {
    const content = { [spec.rawType]: { schema: { type: 'string' } } };
    return { requestBody: { required: true, content } };
  }
  if (spec.rawJson) return { requestBody: { required: true, content: anyJson } };
  if (!spec.body || method === 'get') return {};
  const schema = schemaRef(spec.body);
  // One that is absent is read as `{}`, and refused like that where a field is required.
  const needsFields = classSchema(spec.body)['required'] !== undefined;
  const types = spec.contentTypes ?? ['application/json'];
  return {
    requestBody: {
      required: !spec.bodyOptional || needsFields,
      content: Object.fromEntries(types.map((type) => [type, { schema: schemaIn(type, schema) }])),
    },
  };
}

/** What is sent as plain text is the same JSON as text: to a generator a string. */
function schemaIn(type: string, schema: Json): Json {
  return type === 'text/plain' ? { type: 'string', description: 'The same as JSON.' } : schema;
}

function responses(method: string, spec: AnyContractSpec): Json {
  const answers: Record<string, Json> = {};
  for (const [status, response] of Object.entries(spec.responses)) {
    answers[status] = describeResponse(Number(status), response);
  }
  const codes = declaredCodes(method, spec);
  const statuses = new Set(codes.map((code) => errorRegistry[code].status));
  for (const status of [...statuses].sort((a, b) => a - b)) {
    const same = codes.filter((code) => errorRegistry[code].status === status);
    answers[String(status)] ??= describeRefusal(same);
  }
  return answers;
}

function describeResponse(status: number, response: ResponseSpec): Json {
  const description = response.description ?? defaultDescription(status);
  const isEmpty = !response.type && !response.contentType;
  return isEmpty ? { description } : { description, content: contentOf(response) };
}

function contentOf(response: ResponseSpec): Json {
  const { type, contentType = 'application/json', csvExample } = response;
  const example = response.example ?? (type && exampleOf(type));
  const plain = { type: contentType.endsWith('json') ? 'object' : 'string' };
  const schema = type ? schemaRef(type) : plain;
  const csv = { schema: { type: 'string' }, example: csvExample };
  return {
    [contentType]: { schema, ...(example !== undefined && { example }) },
    ...(csvExample !== undefined && { 'text/csv': csv }),
  };
}

function defaultDescription(status: number): string {
  const known: Record<number, string> = {
    200: 'Done.',
    201: 'Created.',
    202: 'Accepted; the work goes on.',
    204: 'Done; no body.',
    207: 'Some done, some refused.',
  };
  return known[status] ?? 'Answer.';
}

function describeRefusal(codes: ErrorCode[]): Json {
  const [first] = codes;
  const example = first && {
    ...toEnvelope(new AppError(first)),
    ...(first === 'VALIDATION_ERROR'
      ? { details: [{ field: 'name', message: 'must be text of 1 to 200 characters' }] }
      : {}),
  };
  return {
    description: codes
      .map((code) => `\`${toldCode(code)}\`: ${errorRegistry[code].message}`)
      .join('\n\n'),
    content: { 'application/json': { schema: refusalSchema(codes), example } },
  };
}

/** The error body with the codes of one operation and status: a generator makes a union of them. */
function refusalSchema(codes: ErrorCode[]): Json {
  const code = { type: 'string', enum: codes.map(toldCode) };
  return { allOf: [schemaRef(ErrorDto), { properties: { code } }] };
}

/** The schema of one class with all that it inherits. */
export function classSchema(type: new () => object): Json {
  // What a class gives a field by itself is what the field is when it is absent.
  const initial = new type() as Json;
  const fields = [...fieldsOf(type)];
  const properties = fields.map(([name, { schema }]) => [
    name,
    { ...schema(), ...(initial[name] === undefined ? {} : { default: initial[name] }) },
  ]);
  const required = fields.flatMap(([name, { isRequired }]) => (isRequired ? name : []));
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Json,
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The schemas that a document refers to, and those that they refer to in turn. */
function reachableSchemas(root: unknown): Json {
  const found: Record<string, Json> = {};
  const visit = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(
      /#\/components\/schemas\/([^"]+)"/g,
    )) {
      const type = schemaClasses.get(name);
      if (!type || found[name]) continue;
      found[name] = classSchema(type);
      visit(found[name]);
    }
  };
  visit(root);
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => a.localeCompare(b)));
}

/** 3.1 has no `nullable`: it is a type of its own there. */
function toJsonSchema2020(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toJsonSchema2020);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Json;
  const mapped = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, toJsonSchema2020(value)]),
  );
  return nullable && typeof mapped['type'] === 'string'
    ? { ...mapped, type: [mapped['type'], 'null'] }
    : mapped;
}
