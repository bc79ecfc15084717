import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import { mainDocument, waitlistDocument } from './documents';
import { buildDocument } from '../http/openapi';
import { createRouters } from '../routers';

const serverUrl = 'http://127.0.0.1:4000';

/**
 * The routers without anything behind them: contracts need no dependency, and routes that prepare
 * something get a value that takes every call and gives itself back.
 */
export function routersForDocuments(): Router[] {
  const inert: unknown = new Proxy(() => undefined, {
    get: (_target, property) => (property === Symbol.toPrimitive ? () => 0 : inert),
    apply: () => inert,
    construct: () => inert as object,
  });
  const noLimits = new Proxy({}, { get: () => 0 });
  const known = (values: Record<string, unknown>): object =>
    new Proxy(values, { get: (target, property) => target[String(property)] ?? inert });
  const deps = known({ config: known({ publicBaseUrl: serverUrl, limits: noLimits }) });
  return createRouters(deps as never);
}

/** The two OpenAPI documents, by file name. */
export function openApiFiles(routers = routersForDocuments()): Record<string, string> {
  const text = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
  return {
    'openapi.json': text(buildDocument(routers, mainDocument(serverUrl))),
    'openapi-waitlist.json': text(buildDocument(routers, waitlistDocument(serverUrl))),
  };
}

/** `npm run openapi` writes them to docs/, for tools that want files. */
if (require.main === module) {
  const folder = join(process.cwd(), 'docs');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(openApiFiles())) {
    writeFileSync(join(folder, name), text);
  }
}
