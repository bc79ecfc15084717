import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationsOf } from './operations.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const input = path.resolve(process.argv[2] ?? path.join(here, '../../docs/openapi.json'));
const root = path.resolve(process.argv[3] ?? here);
const output = path.join(root, 'src/generated');

const note = '// Written by `npm run openapi` from the OpenAPI document. Do not edit.\n';

/** The generator's types, one method an operation on top of them, and the table that sends them. */
async function generate() {
  const document = JSON.parse(readFileSync(input, 'utf8'));
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  await createClient({
    input,
    output: { path: output, entryFile: false },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  const operations = operationsOf(document);
  const { version } = document.info;
  writeFileSync(
    path.join(output, 'version.ts'),
    `${note}\nexport const version = ${JSON.stringify(version)};\n`,
  );
  writeFileSync(path.join(output, 'operations.ts'), tableOf(operations));
  writeFileSync(path.join(output, 'resources.ts'), interfaceOf(document, operations));
  const guide = readFileSync(path.join(here, 'README.md'), 'utf8');
  const parts = guide.split(/(?<=<!-- methods: .*-->\n)[^]*(?=<!-- \/methods -->)/);
  writeFileSync(path.join(root, 'README.md'), parts.join(examplesOf(operations)));
}

/** `"POST /path ?a,b #text/csv =text/html"`: what the client needs to know of an operation to send it. */
function lineOf({ method, path: url, operation, isList, isStream }) {
  const fields = operation.parameters.filter((parameter) => parameter.in === 'query');
  const names = method === 'get' ? [] : fields.map(({ name }) => name);
  const types = Object.keys(operation.requestBody?.content ?? {});
  const isJson = types.length === 0 || types.includes('application/json');
  const needsBody = isJson && operation.requestBody?.required === true;
  const answers = answersOf(operation);
  return [
    `${method.toUpperCase()}${isList ? '*' : ''}${isStream ? '~' : ''}`,
    url,
    ...(names.length === 0 ? [] : [`?${names.join(',')}`]),
    ...(needsBody ? ['#'] : []),
    ...(isJson ? [] : [`#${types[0]}`]),
    ...(fields.some(({ name }) => name === 'pageSize') ? ['@pageSize'] : []),
    ...(answers === 'application/json' ? [] : [`=${answers}`]),
  ].join(' ');
}

/** The media types of its successes; JSON where nothing else is said. */
function answersOf({ responses }) {
  const successes = Object.entries(responses).filter(([status]) => status < '300');
  const types = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  return [...new Set(types)].join(',');
}

/** Whether its success is read as text, such as a file or a picture. */
function isText(operation) {
  const types = answersOf(operation);
  return types !== '' && !types.includes('application/json');
}

function byResource(operations, lines) {
  const resources = new Map();
  for (const operation of operations) {
    const list = resources.get(operation.resource) ?? [];
    list.push(...lines(operation));
    resources.set(operation.resource, list);
  }
  return [...resources].sort(([a], [b]) => (a < b ? -1 : 1));
}

function tableOf(operations) {
  const resources = byResource(operations, (found) => [
    `    ${found.call}: ${JSON.stringify(lineOf(found))},`,
  ]);
  const body = resources.map(([name, lines]) => `  ${name}: {\n${lines.join('\n')}\n  },`);
  return `${note}\nexport const operations = {\n${body.join('\n')}\n} as const;\n`;
}

function interfaceOf(document, operations) {
  const used = new Set();
  const type = (name) => (used.add(name), name);
  const resources = byResource(operations, ({ name, call, operation, isList, isStream }) => {
    const has = (from, to) =>
      Object.keys(operation.responses).some((status) => status >= from && status < to);
    const answer = () => (isText(operation) ? 'string' : type(`${name}Response`));
    const success = isStream ? 'Response' : has(200, 300) ? answer() : 'void';
    const errors = has(400, 600) ? type(`${name}Error`) : 'never';
    const kind = isList ? 'ListCall' : 'Call';
    return [
      `    /** ${operation.summary} */`,
      `    ${call}: ${kind}<${type(`${name}Data`)}, ${success}, ${errors}>;`,
    ];
  });
  const body = resources.map(([name, lines]) => `  ${name}: {\n${lines.join('\n')}\n  };`);
  const events = Object.keys(document['x-webhooks'] ?? {}).map(type);
  return [
    note,
    "import type { Call, ListCall } from '../calls.ts';",
    `import type {\n${[...used]
      .sort()
      .map((name) => `  ${name},\n`)
      .join('')}} from './types.gen.ts';`,
    '',
    '/** One method for each operation of the API, by the group that it stands in. */',
    `export interface Resources {\n${body.join('\n')}\n}`,
    '',
    '/** Every event that a webhook receives, told apart by its `type`. */',
    `export type WebhookEvent =\n${events.map((name) => `  | ${name}`).join('\n')};`,
    '',
  ].join('\n');
}

/** One example of each method, by resource. */
function examplesOf(operations) {
  const resources = byResource(operations, ({ operation }) => {
    const sample = operation['x-codeSamples'].find(({ label }) => label === 'Client').source;
    return [`// ${operation.summary}`, sample.replace('const answer = ', '')];
  });
  const sections = resources.map(
    ([name, lines]) => `### client.${name}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`,
  );
  return `\n${sections.join('\n')}\n`;
}

await generate();
