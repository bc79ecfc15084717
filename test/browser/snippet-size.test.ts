import { gzipSync } from 'node:zlib';
import { buildSnippet, loadSnippet } from '../../api/snippet/build';

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
});
