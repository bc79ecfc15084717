import type { Context } from 'koa';
import { buildDocument } from '../http/contract/openapi';
import type { Route } from '../http/contract/route';
import { serveOnce, type StaticFile } from '../http/server/static-file';
import { agentsPage, llmsTxt } from './agents';
import { buildMainDocument, waitlistDocument } from './documents';
import { packedClients } from './clients';
import { guidePage, guideStyle } from './guide';
import { docsPages, pageText } from './pages';
import { createSearch, type Search } from './search';
import { docsAssets, docsPage } from './page';

type Send = (ctx: Context) => void;

/** The OpenAPI documents and the page to read them, each built when it is first asked for. */
export interface Documents {
  main: Send;
  waitlist: Send;
  page: Send;
  /** What coding agents read first. */
  llms: Send;
  /** The other pages, as pages and as text, and what they load, by name. */
  assets: ReadonlyMap<string, Send>;
  /** The packed clients, by file name. */
  clients: ReadonlyMap<string, Send>;
  search: (ctx: Context, phrase: string) => void;
}

export function createDocuments(routes: readonly Route[], serverUrl: string): Documents {
  const main = (): Record<string, unknown> => buildMainDocument(routes, serverUrl);
  const assets = Object.entries({
    ...docsAssets,
    'agents.md': () => agentsPage(main()),
    ...pageFiles(serverUrl),
    'guide.css': () => guideStyle,
  });
  return {
    main: serveOnce(() => jsonFile(main())),
    waitlist: serveOnce(() => jsonFile(buildDocument(routes, waitlistDocument(serverUrl)))),
    page: serveOnce(() => docsPage(main())),
    llms: serveOnce(() => llmsTxt(main())),
    assets: new Map(assets.map(([name, build]) => [name, serveOnce(build)])),
    clients: new Map(packedClients().map(([name, build]) => [name, serveOnce(build)])),
    search: searchOver(() => createSearch(docsPages(serverUrl), main() as never)),
  };
}

/** Each page of docs/ that is shown, twice: to read, and as it was written. */
function pageFiles(serverUrl: string): Record<string, () => StaticFile> {
  const pages = docsPages(serverUrl);
  const names = new Set(pages.map(({ name }) => name));
  const files = pages.flatMap((page): [string, () => StaticFile][] => [
    [page.name, () => guidePage(names, page)],
    [
      `${page.name}.md`,
      () => ({
        type: 'text/markdown',
        body: pageText(names, page),
        cacheControl: 'public, max-age=60',
      }),
    ],
  ]);
  return Object.fromEntries(files);
}

/** What it looks in is made ready when somebody first searches. */
function searchOver(create: () => Search) {
  let search: Search | undefined;
  return (ctx: Context, phrase: string): void => {
    search ??= create();
    const { type, body, headers = {} } = search(phrase);
    ctx.set(headers);
    ctx.type = type;
    ctx.body = body;
  };
}

function jsonFile(content: unknown): StaticFile {
  return { type: 'json', body: JSON.stringify(content), cacheControl: 'public, max-age=60' };
}
