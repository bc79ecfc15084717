import type { Context } from 'koa';
import { buildDocument } from '../http/contract/openapi';
import type { Route } from '../http/contract/route';
import { serveOnce, type StaticFile } from '../http/server/static-file';
import { agentsPage, llmsTxt } from './agents';
import { buildMainDocument, waitlistDocument } from './documents';
import { guideMarkdown, guidePage, guideStyle } from './guide';
import { docsAssets, docsPage } from './page';

type Send = (ctx: Context) => void;

/** The OpenAPI documents and the page to read them, each built when it is first asked for. */
export interface Documents {
  main: Send;
  waitlist: Send;
  page: Send;
  /** What coding agents read first. */
  llms: Send;
  /** What the page loads, by name. */
  assets: ReadonlyMap<string, Send>;
}

export function createDocuments(routes: readonly Route[], serverUrl: string): Documents {
  const main = (): Record<string, unknown> => buildMainDocument(routes, serverUrl);
  const assets = Object.entries({
    ...docsAssets,
    'agents.md': () => agentsPage(main()),
    integrate: () => guidePage(serverUrl),
    'integrate.md': () => guideMarkdown(serverUrl),
    'guide.css': () => guideStyle,
  });
  return {
    main: serveOnce(() => jsonFile(main())),
    waitlist: serveOnce(() => jsonFile(buildDocument(routes, waitlistDocument(serverUrl)))),
    page: serveOnce(() => docsPage(main())),
    llms: serveOnce(() => llmsTxt(main())),
    assets: new Map(assets.map(([name, build]) => [name, serveOnce(build)])),
  };
}

function jsonFile(content: unknown): StaticFile {
  return { type: 'json', body: JSON.stringify(content), cacheControl: 'public, max-age=60' };
}
