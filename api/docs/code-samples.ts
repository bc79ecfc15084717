import { clientMethod } from './client-names';

type Json = Record<string, unknown>;

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  type?: string;
  format?: string;
  minLength?: number;
  items?: Schema;
  enum?: unknown[];
  example?: unknown;
  default?: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  security: Json[];
  parameters: { name: string; in: string; required: boolean; schema: Schema; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
  'x-client-method'?: string;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
}
interface Document extends Json {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Adds to each operation how the client package calls it, and samples for it and for curl. */
export function withCodeSamples(source: Json): Json {
  const document = source as Document;
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        withSamples(document, { path, method, operation }),
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as Json };
}

function withSamples(document: Document, place: Place): Operation {
  const { operation } = place;
  const method = clientMethod(operation.tags[0] ?? '', operation.operationId);
  const curl = { lang: 'Shell', label: 'curl', source: curlOf(document, place) };
  if (method === undefined) return { ...operation, 'x-codeSamples': [curl] };
  const client = {
    lang: 'TypeScript',
    label: 'Client',
    source: callOf(document, operation, method),
  };
  return { ...operation, 'x-client-method': method, 'x-codeSamples': [curl, client] };
}

interface Place {
  path: string;
  method: string;
  operation: Operation;
}

function callOf(document: Document, operation: Operation, method: string): string {
  const given = operation.parameters.filter(
    ({ in: where, required }) => where === 'path' || (where === 'query' && required),
  );
  const body = bodyOf(document, operation);
  const fields = {
    ...Object.fromEntries(given.map((parameter) => [parameter.name, valueOf(parameter)])),
    ...(typeof body === 'string' ? { body } : body),
  };
  const call = `client.${method}`;
  const isEmpty = Object.keys(fields).length === 0;
  return `const answer = await ${call}(${isEmpty ? '' : literalOf(fields)});`;
}

function curlOf(document: Document, place: Place): string {
  const { method, operation } = place;
  const verb = method === 'get' ? '' : ` -X ${method.toUpperCase()}`;
  const body = bodyOf(document, operation);
  const [type = ''] = Object.keys(operation.requestBody?.content ?? {});
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = [
    `curl${verb} '${document.servers[0]?.url ?? ''}${addressOf(place)}'`,
    ...(operation.security.length === 0 ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${type}'`, `-d '${text}'`]),
  ];
  return lines.join(' \\\n  ');
}

function addressOf({ path, operation }: Place): string {
  const filled = operation.parameters
    .filter(({ in: where }) => where === 'path')
    .reduce((text, found) => text.replace(`{${found.name}}`, String(valueOf(found))), path);
  const query = operation.parameters
    .filter(({ in: where, required }) => where === 'query' && required)
    .map((found) => `${found.name}=${encodeURIComponent(String(valueOf(found)))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Optional fields without which a call would be refused, or would show little. */
const alsoTold: Readonly<Record<string, readonly string[]>> = {
  reportConversion: ['click_id', 'amount_cents', 'currency'],
  dryRunConversion: ['click_id', 'amount_cents', 'currency'],
  signUpCustomer: ['click_id'],
  putStripeConnection: ['restrictedKey'],
  eraseCustomer: ['customerId'],
  updateWorkspace: ['name'],
  sendPayout: ['expected', 'code'],
  resolvePayoutBatch: ['providerBatchId', 'code'],
  updateProgram: ['websiteUrl'],
  updateWebhook: ['events'],
  updatePartnerAccount: ['name'],
};

/** The fields that a body must have, and those above, by their examples. */
function bodyOf(
  document: Document,
  { operationId, requestBody }: Operation,
): Json | string | undefined {
  const [found] = Object.entries(requestBody?.content ?? {});
  if (!found) return undefined;
  const [type, { schema }] = found;
  if (!type.endsWith('json')) return '...';
  const body = exampleOf(document, schema, 0) as Json;
  const names = alsoTold[operationId] ?? [];
  const { properties = {} } = innerOf(document, schema) ?? schema;
  const more = names.map((name) => [name, exampleOf(document, properties[name] ?? {}, 1)] as const);
  return { ...body, ...Object.fromEntries(more) };
}

function exampleOf(document: Document, schema: Schema, depth: number): unknown {
  const told = schema.example ?? schema.enum?.[0] ?? schema.default;
  if (told !== undefined) return told;
  const inner = innerOf(document, schema);
  // A schema that holds itself ends somewhere.
  if (inner) return depth > 6 ? {} : exampleOf(document, inner, depth + 1);
  return exampleOfType(document, schema, depth);
}

function innerOf({ components }: Document, { $ref, allOf, oneOf }: Schema): Schema | undefined {
  const name = $ref?.split('/').at(-1);
  return name ? components.schemas[name] : (allOf ?? oneOf)?.[0];
}

function exampleOfType(document: Document, schema: Schema, depth: number): unknown {
  if (schema.type === 'object') {
    // Optional fields of an inner object are shown too where they have an example: percentage terms need a rate.
    const isTold = (name: string) => schema.properties?.[name]?.example !== undefined;
    const optional = depth > 1 ? Object.keys(schema.properties ?? {}).filter(isTold) : [];
    const names = [...new Set([...(schema.required ?? []), ...optional])];
    const field = (name: string) => exampleOf(document, schema.properties?.[name] ?? {}, depth + 1);
    return Object.fromEntries(names.map((name) => [name, field(name)]));
  }
  if (schema.type === 'array')
    return schema.items ? [exampleOf(document, schema.items, depth + 1)] : [];
  return plainExample(schema);
}

function plainExample({ type = '', format, minLength = 0 }: Schema): unknown {
  if (format === 'uuid') return '01890a5d-ac96-774b-bcce-b302099a8057';
  // A field without an example of its own that must be this long is a password.
  if (minLength >= 10) return 'correct horse battery';
  const plain: Record<string, unknown> = { integer: 1, number: 1, boolean: true };
  return plain[type] ?? '...';
}

function valueOf({ name, schema, example }: Operation['parameters'][number]): unknown {
  return (
    example ??
    schema.example ??
    schema.enum?.[0] ??
    (name.endsWith('Id') ? name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase() : '...')
  );
}

/** An object as a person writes it in JavaScript: keys without quotes where they need none. */
function literalOf(fields: Json): string {
  return JSON.stringify(fields, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"([^"'\\]*)"/g, "'$1'");
}
