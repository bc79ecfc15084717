import Router from '@koa/router';
import type { Deps } from '../../activities/runtime/process/deps';
import { open } from '../http/credential';
import { contract } from '../http/contract';
import { buildDocument } from '../http/openapi';
import { mainDocument, waitlistDocument } from './documents';
import { docsPage } from './page';

const tag = 'Documentation';

/** The two OpenAPI documents and a page to read them. */
export function docsRoutes(others: readonly Router[], deps: Pick<Deps, 'config'>): Router {
  const router = new Router();
  const routers = [...others, router];
  const document = (path: string, name: string, build: () => unknown, summary: string): void => {
    let built: unknown;
    router.get(
      name,
      path,
      contract(
        {
          summary,
          tag,
          auth: open(null),
          responses: {
            200: {
              contentType: 'application/json',
              description: 'OpenAPI document',
              example: { openapi: '3.0.3', info: { title: 'API', version: '1' }, paths: {} },
            },
          },
        },
        (ctx) => {
          ctx.set('Cache-Control', 'public, max-age=60');
          ctx.body = built ??= build();
        },
      ),
    );
  };

  document(
    '/api/openapi.json',
    'getOpenApiDocument',
    () => buildDocument(routers, mainDocument(deps.config.publicBaseUrl)),
    'The main API as OpenAPI 3.0',
  );
  document(
    '/api/public/openapi.json',
    'getWaitlistOpenApiDocument',
    () => buildDocument(routers, waitlistDocument(deps.config.publicBaseUrl)),
    'The waitlist API as OpenAPI 3.1',
  );

  router.get(
    'getDocs',
    '/api/docs',
    contract(
      {
        summary: 'A readable page of the main API',
        tag,
        auth: open(null),
        responses: {
          200: { contentType: 'text/html', description: 'Page', example: '<!doctype html>...' },
        },
      },
      (ctx) => {
        ctx.type = 'html';
        ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
        ctx.body = docsPage(buildDocument(routers, mainDocument(deps.config.publicBaseUrl)));
      },
    ),
  );
  return router;
}
