import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

export interface Snippet {
  /** The whole script, minified. */
  code: string;
  /** A strong entity tag of exactly these bytes, with its quotes. */
  etag: string;
  /** The same script as most browsers take it, and the tag of those bytes. */
  zipped: { bytes: Buffer; etag: string };
  /** Path of the address that stands for exactly these bytes. */
  pinnedPath: string;
  /** What a page writes into `integrity` beside that address (Subresource Integrity). */
  integrity: string;
}

const builtFile = join(__dirname, 'selgeo.min.js');
/** Every script that was ever given out, by its hash: pages that pinned one load it for ever. */
const releasedFolder = 'released';

function asSnippet(code: string): Snippet {
  const sha256 = createHash('sha256').update(code);
  const tag = sha256.copy().digest('base64url').slice(0, 27);
  const pinnedPath = `/v1/selgeo.${sha256.digest('hex').slice(0, 16)}.js`;
  const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`;
  const zipped = { bytes: gzipSync(code, { level: 9 }), etag: `"${tag}-gzip"` };
  return { code, etag: `"${tag}"`, zipped, pinnedPath, integrity };
}

/** Bundles and minifies the browser script from its source (about 20 ms). */
export function buildSnippet(): Snippet {
  // A build has a copy of it: compiled JavaScript would make other bytes, with another hash.
  const result = buildSync({
    entryPoints: [join(__dirname, 'selgeo.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2017',
    legalComments: 'none',
    charset: 'ascii',
    write: false,
    // The project's own settings are for Node; decorators and class fields play no part here.
    tsconfigRaw: '{}',
  });

  return asSnippet(result.outputFiles[0]?.text ?? '');
}

/** Build step: leaves the finished script where `loadSnippet` of the same build finds it. */
function writeSnippet(directory: string = __dirname): Snippet {
  const snippet = buildSnippet();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'selgeo.min.js'), snippet.code);
  return snippet;
}

/** What the API serves: the script made by the build, else one made from the source now. */
export function loadSnippet(): Snippet {
  return existsSync(builtFile) ? asSnippet(readFileSync(builtFile, 'utf8')) : buildSnippet();
}

/** All scripts that have an address of their own, by its path: this one and those released before. */
export function loadPinned(current: Snippet): ReadonlyMap<string, Snippet> {
  const folder = join(__dirname, releasedFolder);
  const released = existsSync(folder) ? readdirSync(folder) : [];
  const all = released.map((name) => asSnippet(readFileSync(join(folder, name), 'utf8')));
  return new Map([...all, current].map((snippet) => [snippet.pinnedPath, snippet]));
}

/** Where a script is kept once pages may pin it; a text, as the build compiles what is called .js. */
export function releasedFile({ pinnedPath }: Snippet): string {
  return join(releasedFolder, `${pinnedPath.slice('/v1/'.length)}.txt`);
}

if (require.main === module) writeSnippet(dirname(builtFile));
