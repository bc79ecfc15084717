import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationsOf } from '../client/operations.mjs';
import { classesOf, nameOf, typeOf } from './types.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const input = path.resolve(process.argv[2] ?? path.join(here, '../../docs/openapi.json'));
const root = path.resolve(process.argv[3] ?? here);
const output = path.join(root, 'src/affiliate_programme_client/generated');

const note = '# Written by `npm run openapi` from the OpenAPI document. Do not edit.\n';
const typing =
  'from __future__ import annotations\n\nfrom typing import Any, List, Literal, Mapping, Union\n';

/** The records that the API answers with, and one method an operation. */
function generate() {
  const document = JSON.parse(readFileSync(input, 'utf8'));
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const write = (name, text) => writeFileSync(path.join(output, name), `${note}${text}`);
  write('__init__.py', '');
  write('version.py', `\nVERSION = ${JSON.stringify(document.info.version)}\n`);
  write('models.py', modelsOf(document));
  write('resources.py', resourcesOf(document, operationsOf(document)));
}

function modelsOf(document) {
  const events = Object.keys(document['x-webhooks'] ?? {});
  return [
    `${typing}\nfrom ..records import Record\n`,
    ...classesOf(document),
    `\nWebhookEvent = Union[\n${events.map((name) => `    ${name},\n`).join('')}]`,
    '"""Every event that a webhook receives, told apart by its `type`."""\n',
  ].join('\n');
}

function resourcesOf(document, operations) {
  const groups = groupsOf(operations);
  const names = [...groups.keys()].sort();
  const classes = names.map((name) => {
    const methods = groups.get(name).map((found) => methodOf(document, found));
    return `\n\nclass ${className(name)}(Resource):\n${methods.join('\n')}`;
  });
  const fields = names.map((name) => {
    const attribute = nameOf(name);
    return `        self.${attribute} = ${className(name)}(send)`;
  });
  return [
    `${typing}\nfrom ..calls import NOT_GIVEN, CallOptions, NotGiven, Operation, Resource, Send`,
    `from ..pages import Paged\nfrom . import models${classes.join('')}`,
    '\nclass Resources:\n    """One resource for each group of the API."""\n',
    `    def __init__(self, send: Send) -> None:\n${fields.join('\n')}\n`,
  ].join('\n');
}

function groupsOf(operations) {
  const groups = new Map();
  for (const found of operations) {
    groups.set(found.resource, [...(groups.get(found.resource) ?? []), found]);
  }
  return groups;
}

const className = (resource) => resource[0].toUpperCase() + resource.slice(1);

function methodOf(document, found) {
  const { operation, resource, call, isList, isStream } = found;
  const fields = fieldsOf(document, operation);
  const parameters = fields.map(({ name, type, required }) =>
    required ? `${nameOf(name)}: ${type}` : `${nameOf(name)}: ${type} | NotGiven = NOT_GIVEN`,
  );
  const lines = ['self', '*', ...parameters, 'options: CallOptions | None = None'];
  const method = nameOf(call);
  const sent = fields.map(({ name }) => `${JSON.stringify(name)}: ${nameOf(name)}`);
  const answer = isStream ? 'Any' : answerOf(operation);
  const row = isList ? rowOf(document, operation) : undefined;
  const helper = isList ? 'self._list' : 'self._call';
  return [
    `    def ${method}(\n${lines.map((line) => `        ${line},\n`).join('')}    ) -> ${row ? `Paged[${row}]` : answer}:`,
    `        """${operation.summary}."""`,
    `        return ${helper}(\n            ${operationText(found, `${nameOf(resource)}.${method}`)},`,
    `            {${sent.join(', ')}},\n            options,\n        )\n`,
  ].join('\n');
}

/** What the client needs to know to send it. */
function operationText({ method, path: url, operation }, name) {
  const query = operation.parameters.filter(({ in: place }) => place === 'query');
  const types = Object.keys(operation.requestBody?.content ?? {});
  const isJson = types.length === 0 || types.includes('application/json');
  const successes = Object.entries(operation.responses).filter(([status]) => status < '300');
  const answers = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  const size = query.some((one) => one.name === 'pageSize') ? 'pageSize' : 'limit';
  const more = [
    method === 'get' ? undefined : `query=${listOf(query.map((one) => one.name))}`,
    isJson ? undefined : `body_type=${JSON.stringify(types[0])}`,
    isJson && operation.requestBody?.required ? 'needs_body=True' : undefined,
    `answers=${listOf([...new Set(answers)])}`,
    size === 'limit' ? undefined : `size=${JSON.stringify(size)}`,
  ].filter((text) => text !== undefined);
  return `Operation("${name}", "${method.toUpperCase()}", "${url}", ${more.join(', ')})`;
}

const listOf = (names) => `(${names.map((name) => `${JSON.stringify(name)},`).join(' ')})`;

/** Path, query and body side by side, those that must be there first. */
function fieldsOf(document, operation) {
  const given = operation.parameters
    .filter(({ in: place }) => place === 'path' || place === 'query')
    // A list is walked by its client.
    .filter(({ name }) => name !== 'cursor')
    .map(({ name, schema, required = false }) => ({ name, type: typeOf(schema, true), required }));
  const fields = [...given, ...bodyFields(document, operation)];
  const twice = fields.filter(({ name }, i) => fields.findIndex((one) => one.name === name) !== i);
  if (twice.length > 0) throw new Error(`${operation.operationId} has ${twice[0].name} twice`);
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

function bodyFields(document, { requestBody }) {
  const [[type, { schema }] = ['', {}]] = Object.entries(requestBody?.content ?? {});
  if (type === '') return [];
  if (!type.endsWith('json')) return [{ name: 'body', type: 'str', required: true }];
  const { properties = {}, required = [] } = inner(document, schema);
  return Object.entries(properties).map(([name, property]) => ({
    ...{ name, type: typeOf(property, true) },
    required: required.includes(name),
  }));
}

function inner({ components }, schema) {
  const name = schema.$ref?.split('/').at(-1);
  return name ? components.schemas[name] : schema;
}

function answerOf(operation) {
  const successes = Object.entries(operation.responses).filter(([status]) => status < '300');
  const types = successes.map(([, { content = {} }]) => {
    const json = content['application/json'];
    if (json) return typeOf(json.schema ?? {}, false, 'models.');
    return Object.keys(content).length > 0 ? 'str' : 'None';
  });
  return [...new Set(types)].join(' | ') || 'None';
}

function rowOf(document, operation) {
  const page = inner(document, operation.responses['200'].content['application/json'].schema);
  return typeOf(page.properties.data.items ?? {}, false, 'models.');
}

generate();
