import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync, type Metafile } from 'esbuild';

/** The two sites by the first part of their paths, and the pages that mails lead to. */
export const sites = { app: 'app/main.tsx', portal: 'portal/main.tsx' } as const;
export type Site = keyof typeof sites;

const sources = { ...sites, mails: 'mails/main.tsx' } as const;
type Entry = keyof typeof sources;

export interface WebFiles {
  /** Scripts, styles and letters by name; each name holds a hash of the bytes. */
  assets: Map<string, Buffer>;
  /** What the page of a site loads first. */
  entries: Record<Entry, { script: string; style: string }>;
}

interface Manifest {
  entries: WebFiles['entries'];
}

// The folder beside the compiled service; in a checkout it is the source itself.
const folder = path.join(__dirname, '../../web');
const manifestName = 'manifest.json';

/** Bundles the pages from their source, split by route (about half a second). */
export function buildWeb(source: string = folder): WebFiles & { metafile: Metafile } {
  const entryPoints = Object.fromEntries(
    Object.entries(sources).map(([entry, file]) => [entry, path.join(source, file)]),
  );
  const { outputFiles, metafile } = buildSync({
    entryPoints,
    platform: 'browser',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    legalComments: 'none',
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    metafile: true,
    write: false,
  });
  const assets = new Map(
    outputFiles.map(({ path: file, contents }) => [path.basename(file), Buffer.from(contents)]),
  );
  const nameOf = (entry: Entry, extension: string): string =>
    [...assets.keys()].find((name) => name.startsWith(`${entry}-`) && name.endsWith(extension)) ??
    '';
  const firstOf = (entry: Entry) => ({
    script: nameOf(entry, '.js'),
    style: nameOf(entry, '.css'),
  });
  const entries = { app: firstOf('app'), portal: firstOf('portal'), mails: firstOf('mails') };
  return { assets, entries, metafile };
}

/** What the API serves: the files of the build, else files made from the source now. */
export function loadWeb(): WebFiles {
  const manifestFile = path.join(folder, manifestName);
  if (!existsSync(manifestFile)) return buildWeb();
  const { entries } = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
  const names = readdirSync(folder).filter((name) => name !== manifestName);
  const assets = new Map(names.map((name) => [name, readFileSync(path.join(folder, name))]));
  return { assets, entries };
}

/** Build step: `node api/web/build.js <source>` leaves the files where `loadWeb` finds them. */
function writeWeb(source: string): void {
  const { assets, entries } = buildWeb(source);
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of assets) writeFileSync(path.join(folder, name), bytes);
  writeFileSync(path.join(folder, manifestName), JSON.stringify({ entries }));
}

if (require.main === module) writeWeb(path.resolve(process.argv[2] ?? 'web'));
