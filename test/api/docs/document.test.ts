import { STATUS_CODES } from 'node:http';
import { mainDocument, tags, waitlistDocument } from '../../../api/docs/documents';
import { buildDocument } from '../../../api/http/contract/openapi';
import { withCodeSamples } from '../../../api/docs/code-samples';
import { toInstance } from '../../../api/http/contract/validate';
import { routes } from '../../../api/routes';

interface Response {
  content?: Record<string, { schema?: object; example?: { error?: string } }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters: { name: string; description?: string; schema: { default?: unknown } }[];
  requestBody?: { required: boolean };
  responses: Record<string, Response>;
}

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const serverUrl = 'http://127.0.0.1:4000';
const documents = [mainDocument(serverUrl), waitlistDocument(serverUrl)].map(
  (options) => buildDocument(routes, options) as unknown as Document,
);
const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((path) => Object.values(path));
const operations = new Map(
  documents.flatMap(operationsOf).map((operation) => [operation.operationId, operation]),
);
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

it('declares the tags that its operations use, and no others', () => {
  for (const document of documents) {
    const used = operationsOf(document).flatMap((operation) => operation.tags);
    expect(sorted(document.tags.map(({ name }) => name))).toEqual(sorted(used));
  }
  const used = documents.flatMap((document) => document.tags.map(({ name }) => name));
  expect(sorted(tags.map(({ name }) => name))).toEqual(sorted(used));
});

it.each([
  'erasePartnerAccount',
  'eraseParticipant',
  'receiveEmailProviderEvent',
  'receiveStripeEvent',
])('requires the body of %s', (name) => {
  expect(operations.get(name)?.requestBody?.required).toBe(true);
});

it.each(['applyToProgram', 'unsubscribe'])('requires no body of %s', (name) => {
  expect(operations.get(name)?.requestBody?.required ?? false).toBe(false);
});

it('the document has a schema for each answer that has an example', () => {
  const resent = operations.get('resendPartnerInvite')?.responses['202'];
  expect(resent?.content?.['application/json']).toMatchObject({ example: {} });
  expect(resent?.content?.['application/json']?.schema).toBeDefined();
});

it('shows each refusal with the text of its status', () => {
  for (const { operationId, responses } of operations.values()) {
    for (const [status, { content }] of Object.entries(responses)) {
      const error = content?.['application/json']?.example?.error;
      if (Number(status) < 400 || error === undefined) continue;
      expect([operationId, status, error]).toEqual([
        operationId,
        status,
        STATUS_CODES[Number(status)],
      ]);
    }
  }
});

it('shows what each parameter is when it is left out', () => {
  const parametersOf = (name: string) =>
    Object.fromEntries(
      (operations.get(name)?.parameters ?? []).map((one) => [one.name, one.schema.default]),
    );
  expect(parametersOf('listCommissions')).toMatchObject({
    page: 1,
    limit: 20,
    sortBy: 'createdAt',
    sortOrder: 'desc',
    'X-Mode': 'live',
  });
  for (const { parameters = [] } of operations.values()) {
    const silent = parameters.filter(
      ({ description = '', schema }) =>
        /\bDefault \w+\./.test(description) && schema.default === undefined,
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  }
});

const sampled = withCodeSamples(
  buildDocument(routes, mainDocument(serverUrl)) as unknown as Record<string, unknown>,
) as unknown as {
  paths: Record<
    string,
    Record<string, { operationId: string; 'x-codeSamples': { source: string }[] }>
  >;
};
const curls = new Map(
  Object.values(sampled.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, operation['x-codeSamples'][0]?.source ?? '']),
);
const withBodies = routes.filter(({ name, spec }) => spec.body && curls.has(name));

it.each(withBodies.map((route) => [route.name, route] as const))(
  'shows a body for %s that passes its checks',
  (name, { spec }) => {
    const [, text = '{}'] = /-d '(.*)'$/.exec(curls.get(name) ?? '') ?? [];
    const body = toInstance(spec.body as new () => object, JSON.parse(text) as object, {
      unknown: 'refuse',
    });
    expect(spec.check?.(body as never) ?? []).toEqual([]);
  },
);
