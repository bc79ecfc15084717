import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSnippet, releasedFile, type Snippet } from './build';

/** A text of the guide with the present script's hash and integrity in place of earlier ones. */
function withPinned(text: string, { pinnedPath, integrity }: Snippet): string {
  return text
    .replace(/\/v1\/selgeo\.[0-9a-f]{16}\.js/g, pinnedPath)
    .replace(/integrity="sha384-[^"]*"/g, `integrity="${integrity}"`);
}

/** `npm run snippet`, after a change of the script: keeps its bytes, and renews the guide. */
if (require.main === module) {
  const snippet = buildSnippet();
  writeFileSync(join(process.cwd(), 'api/snippet', releasedFile(snippet)), snippet.code);
  for (const name of ['docs/integrate.md', 'docs/integrate/pinned.html']) {
    const file = join(process.cwd(), name);
    writeFileSync(file, withPinned(readFileSync(file, 'utf8'), snippet));
  }
}
