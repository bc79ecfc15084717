import type { Context } from 'koa';
import { buildDocument } from '../http/contract/openapi';
import type { Route } from '../http/contract/route';
import { serveOnce, type StaticFile } from '../http/server/static-file';
import { agentsPage, llmsTxt } from './agents';
import { buildMainDocument, waitlistDocument } from './documents';
import { packedClients } from './clients';
import { docsAssets, docsPage } from './page';
import { atService } from './pages';
import { docsSite } from './site';

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
  const site = docsSite(serverUrl, atService, main);
  const assets = Object.entries({
    ...docsAssets,
    'agents.md': () => agentsPage(main()),
    ...site.files,
  });
  return {
    main: serveOnce(() => jsonFile(main())),
    waitlist: serveOnce(() => jsonFile(buildDocument(routes, waitlistDocument(serverUrl)))),
    page: serveOnce(() => docsPage(main(), atService)),
    llms: serveOnce(() => llmsTxt(main())),
    assets: new Map(assets.map(([name, build]) => [name, serveOnce(build)])),
    clients: new Map(packedClients().map(([name, build]) => [name, serveOnce(build)])),
    search: (ctx, phrase) => {
      const { type, body, headers = {} } = site.search(phrase);
      ctx.set(headers);
      ctx.type = type;
      ctx.body = body;
    },
  };
}

function jsonFile(content: unknown): StaticFile {
  return { type: 'json', body: JSON.stringify(content), cacheControl: 'public, max-age=60' };
}
