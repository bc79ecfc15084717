import Router from '@koa/router';
import type { Deps } from '../../activities/runtime/process/deps';
import { AppError } from '../../entities/errors';
import { open } from '../http/credential';
import { contract, type ResponseSpec } from '../http/contract';
import { buildDocument } from '../http/openapi';
import { serveOnce, type StaticFile } from '../http/static-file';
import { mainDocument, waitlistDocument } from './documents';
import { docsAssets, docsPage } from './page';

const tag = 'Documentation';
const current: ResponseSpec = { description: 'What has this entity tag is the current one.' };
const document: ResponseSpec = {
  contentType: 'application/json',
  description: 'OpenAPI document',
  example: { openapi: '3.0.3', info: { title: 'API', version: '1' }, paths: {} },
};

/** The two OpenAPI documents and a page to read them; each is built once. */
export function docsRoutes(others: readonly Router[], deps: Pick<Deps, 'config'>): Router {
  const router = new Router();
  const routers = [...others, router];
  const serverUrl = deps.config.publicBaseUrl;
  const main = (): Record<string, unknown> => buildDocument(routers, mainDocument(serverUrl));

  const file = (name: string, path: string, served: Served): void => {
    const { summary, response, build } = served;
    const send = serveOnce(build);
    const spec = { summary, tag, auth: open(null), responses: { 200: response, 304: current } };
    router.get(name, path, contract(spec, send));
  };
  file('getOpenApiDocument', '/api/openapi.json', {
    summary: 'The main API as OpenAPI 3.0',
    response: document,
    build: () => jsonFile(main()),
  });
  file('getWaitlistOpenApiDocument', '/api/public/openapi.json', {
    summary: 'The waitlist API as OpenAPI 3.1',
    response: document,
    build: () => jsonFile(buildDocument(routers, waitlistDocument(serverUrl))),
  });
  file('getDocs', '/api/docs', {
    summary: 'A page to read, search and try the API',
    response: { contentType: 'text/html', description: 'Page', example: '<!doctype html>...' },
    build: () => docsPage(main()),
  });

  const assets = new Map(
    Object.entries(docsAssets).map(([name, build]) => [name, serveOnce(build)]),
  );
  router.get(
    'getDocsAsset',
    '/api/docs/:asset',
    contract(
      {
        summary: 'A script or style of that page',
        tag,
        auth: open(null),
        params: { asset: { text: 'NOT_FOUND' } },
        responses: {
          200: { contentType: 'text/javascript', description: 'Script or style', example: '...' },
          304: current,
        },
      },
      (ctx) => {
        const send = assets.get(ctx.input.params.asset);
        if (!send) throw new AppError('NOT_FOUND');
        send(ctx);
      },
    ),
  );
  return router;
}

interface Served {
  summary: string;
  response: ResponseSpec;
  build: () => StaticFile;
}

function jsonFile(content: unknown): StaticFile {
  return { type: 'json', body: JSON.stringify(content), cacheControl: 'public, max-age=60' };
}
