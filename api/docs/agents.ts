import type { StaticFile } from '../http/server/static-file';
import { agentsGuide, installLine } from './agents-guide';

interface DocumentView {
  info: { title: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationView>>;
}
interface OperationView {
  summary: string;
  tags: string[];
  'x-client-method'?: string;
}

const cacheControl = 'public, max-age=60';

/** What a coding agent reads first: what this is, and where the rest stands (llmstxt.org). */
export function llmsTxt(source: Record<string, unknown>): StaticFile {
  const { info, servers } = source as unknown as DocumentView;
  const url = servers[0]?.url ?? '';
  const body = `# ${info.title}

> Affiliate programmes for merchants: a script records clicks of partners' links, servers or Stripe report sales, each sale is
> attributed to a partner and becomes a commission, which is held, approved and paid.

Money is in integer minor units with an ISO 4217 code; times are ISO 8601 in UTC. Keys of test mode begin with pk_test_ (pages),
sk_test_ (servers) and mk_test_ (management, in place of a person at the dashboard); try everything with those first.

## Docs

- [Guide](${url}/api/docs/integrate.md): from the script tag to the first attributed sale, with examples for each kind of site
- [Guide for coding agents](${url}/api/docs/agents.md): script, sales, Stripe, webhooks, management keys, and every operation with its client method
- [OpenAPI document](${url}/api/openapi.json): fields, answers, error codes, samples in curl and TypeScript (x-codeSamples)
- [Webhooks](${url}/api/docs/webhooks.md): what arrives, how to verify and answer it
- [How it works](${url}/api/docs/reference.md): attribution, commissions, refunds, payouts, limits, part by part

The client: \`${installLine(url)}\`

## Optional

- [API reference](${url}/api/docs): the same for people
- [All pages](${url}/api/docs/index.md): for merchants, partners, developers and operators
- [Browser script](${url}/v1/selgeo.js): what the script tag loads
`;
  return { type: 'text/plain', body, cacheControl };
}

/** The integration on one page, and each operation by group. */
export function agentsPage(source: Record<string, unknown>): StaticFile {
  const document = source as unknown as DocumentView;
  const body = `${agentsGuide(document.servers[0]?.url ?? '')}\n${operationsOf(document)}\n`;
  return { type: 'text/markdown', body, cacheControl };
}

function callOf({ 'x-client-method': method }: OperationView): string {
  return method === undefined ? '' : `\`client.${method}\`: `;
}

function operationsOf({ tags, paths }: DocumentView): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(
        ({ path, method, operation }) =>
          `- ${callOf(operation)}${operation.summary} (\`${method.toUpperCase()} ${path}\`)`,
      );
    return [`### ${name}`, '', description, '', ...lines].join('\n');
  });
  return ['## Operations', ...sections].join('\n\n');
}
