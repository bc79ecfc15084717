import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mainDocument, waitlistDocument } from './docs/documents';
import { buildDocument } from './http/openapi';
import { createRouters } from './routers';

const serverUrl = 'http://127.0.0.1:4000';

/** The two OpenAPI documents, by file name. Routers only need their dependencies when they serve. */
export function openApiFiles(): Record<string, string> {
  const routers = createRouters({ config: { publicBaseUrl: serverUrl } } as never);
  const text = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
  return {
    'openapi.json': text(buildDocument(routers, mainDocument(serverUrl))),
    'openapi-waitlist.json': text(buildDocument(routers, waitlistDocument(serverUrl))),
  };
}

/** `npm run openapi` writes them to docs/, so that a change of the API shows as a diff. */
if (require.main === module) {
  const folder = join(process.cwd(), 'docs');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(openApiFiles())) {
    writeFileSync(join(folder, name), text);
  }
}
