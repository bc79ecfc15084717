import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildMainDocument, waitlistDocument } from './docs/documents';
import { withReach } from './docs/reach';
import { buildDocument } from './http/contract/openapi';
import { routes } from './routes';

const serverUrl = 'http://127.0.0.1:4000';

/** The two OpenAPI documents, by file name. */
export function openApiFiles(): Record<string, string> {
  const text = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
  return {
    'openapi.json': text(buildMainDocument(routes, serverUrl)),
    'openapi-waitlist.json': text(buildDocument(routes, waitlistDocument(serverUrl))),
  };
}

/** `npm run openapi` writes them to docs/, for tools that want files, and the table of who reaches what. */
if (require.main === module) {
  const folder = join(process.cwd(), 'docs');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(openApiFiles())) {
    writeFileSync(join(folder, name), text);
  }
  const accounts = join(folder, 'reference/accounts.md');
  writeFileSync(accounts, withReach(readFileSync(accounts, 'utf8'), routes));
}
