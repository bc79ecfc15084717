import type { StaticFile } from '../http/server/static-file';

interface DocumentView {
  info: { title: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationView>>;
}
interface OperationView {
  summary: string;
  tags: string[];
  'x-client-method': string;
}

const cacheControl = 'public, max-age=60';

/** What a coding agent reads first: what this is, and where the rest stands (llmstxt.org). */
export function llmsTxt(source: Record<string, unknown>): StaticFile {
  const { info, servers } = source as unknown as DocumentView;
  const url = servers[0]?.url ?? '';
  const body = `# ${info.title}

> Affiliate programmes for merchants: a script records clicks of partners' links, servers or Stripe report sales, each sale is
> attributed to a partner and becomes a commission, which is held, approved and paid.

Money is in integer minor units with an ISO 4217 code; times are ISO 8601 in UTC. Keys of test mode begin with pk_test_ and
sk_test_; try everything with those first.

## Docs

- [Guide](${url}/api/docs/integrate.md): from the script tag to the first attributed sale, with examples for each kind of site
- [Guide for coding agents](${url}/api/docs/agents.md): the integration in five steps, and every operation with its client method
- [OpenAPI document](${url}/api/openapi.json): fields, answers, error codes, samples in curl and TypeScript (x-codeSamples)

## Optional

- [API reference](${url}/api/docs): the same for people
- [Browser script](${url}/v1/selgeo.js): what the script tag loads
`;
  return { type: 'text/plain', body, cacheControl };
}

/** The integration on one page, and each operation by group. */
export function agentsPage(source: Record<string, unknown>): StaticFile {
  const document = source as unknown as DocumentView;
  const body = `${guide(document.servers[0]?.url ?? '')}\n${operationsOf(document)}\n`;
  return { type: 'text/markdown', body, cacheControl };
}

function guide(url: string): string {
  return `# Integrating the Affiliate Programme Service

1. Every page gets the script, with the **public** key. It reads \`?ref=\` and keeps the click's id:
   \`<script async src="${url}/v1/selgeo.js" data-merchant="pk_test_YOUR_KEY" data-keep></script>\`
2. The checkout sends the click's id to your server: \`window.__selgeo?.getClickId()\`, or \`useClickId()\` in React.
3. The server reports the sale with the **secret** key, after the payment:

\`\`\`ts
import { AffiliateClient } from 'affiliate-programme-client';

const client = new AffiliateClient({ apiKey: 'sk_test_YOUR_KEY', baseUrl: '${url}' });
await client.conversions.report({
  external_transaction_id: order.id, // the same id again changes nothing
  event_type: 'purchase',
  click_id: order.clickId, // or promo_code
  amount_cents: order.amountCents,
  currency: 'usd',
  customer_id: order.customerId, // credits later payments
});
\`\`\`

   With a connection to Stripe report nothing: \`withClick(params, clickId)\` of \`affiliate-programme-client/stripe\` puts the click
   into the Checkout Session, and sales, renewals and refunds come from Stripe.
4. Refunds: \`client.conversions.refund({ conversionId, external_refund_id, amount_cents })\`.
5. Webhooks: \`affiliateWebhook({ secrets }, onEvent)\` of \`/express\`, \`/koa\` or \`/next\`, before any parser of bodies;
   \`verifyWebhook({ body, headers, secrets })\` elsewhere. Deliveries repeat: act once for each \`event.id\`.

Rules that are easily missed:

- \`NO_ATTRIBUTION_SIGNAL\` (nobody sent this buyer) and \`CONVERSION_DUPLICATE\` (reported before) are answers, not failures.
- Match on \`code\` of an error, never on \`message\`. \`client.conversions.report.refused(error)\` gives \`code\` its type.
- The client repeats 429, 503 and network errors itself, with one Idempotency-Key over all tries. Add no retries around it.
- The secret key stays on the server. Test and live data never mix: the key's prefix decides.
- \`POST /api/v1/attribution/dry-run\` says what a sale would become, and stores nothing;
  \`GET /api/v1/attribution/decisions\` says why each sale was credited or not.
`;
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
          `- \`client.${operation['x-client-method']}\`: ${operation.summary} (\`${method.toUpperCase()} ${path}\`)`,
      );
    return [`### ${name}`, '', description, '', ...lines].join('\n');
  });
  return ['## Operations', ...sections].join('\n\n');
}
