import { gzipSync } from 'node:zlib';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSnippet, loadPinned, loadSnippet, releasedFile } from '../../api/snippet/build';

describe('the built browser script', () => {
  it('is at most 2 KiB when gzipped', () => {
    expect(gzipSync(buildSnippet().code).length).toBeLessThanOrEqual(2048);
  });

  it('is plain ASCII without newer syntax than ES2017', () => {
    const { code } = buildSnippet();

    expect(code).toMatch(/^[\x20-\x7e\n]+$/);
    expect(code).not.toMatch(/\?\.|\?\?|catch\{/);
  });

  it('has an entity tag that stands for its bytes', () => {
    expect(buildSnippet()).toEqual(loadSnippet());
    expect(buildSnippet().etag).toMatch(/^"[\w-]{27}"$/);
    expect(buildSnippet().pinnedPath).toMatch(/^\/v1\/selgeo\.[0-9a-f]{16}\.js$/);
  });

  it('is kept with those before it, for pages that pinned it: npm run snippet', () => {
    const snippet = buildSnippet();
    const file = join(__dirname, '../../api/snippet', releasedFile(snippet));

    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(snippet.code);
    for (const [path, kept] of loadPinned(snippet)) expect(kept.pinnedPath).toBe(path);
  });
});
