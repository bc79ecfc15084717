import { AppError } from '../../entities/errors';
import { open } from '../http/contract/credential';
import type { ResponseSpec } from '../http/contract/contract';
import { routesOf, type Route } from '../http/contract/route';
import { Text } from '../http/contract/validators';

const route = routesOf('Documentation');
const auth = open(null);
const current: ResponseSpec = { description: 'What has this entity tag is the current one.' };
const document: ResponseSpec = {
  contentType: 'application/json',
  description: 'OpenAPI document',
  example: { openapi: '3.0.3', info: { title: 'API', version: '1' }, paths: {} },
};
const page: ResponseSpec = {
  contentType: 'text/html',
  description: 'Page',
  example: '<!doctype html>...',
};
const asset: ResponseSpec = {
  contentType: 'text/javascript',
  description: 'Script or style',
  example: '...',
};

const index: ResponseSpec = { contentType: 'text/plain', description: 'Index', example: '# ...' };

const packed: ResponseSpec = {
  contentType: 'application/gzip',
  description: 'Package',
  example: '...',
};

export class DocsSearch {
  @Text({ optional: true, max: 200, description: 'Words that all must be there.' })
  q?: string;
}

/** The two OpenAPI documents and pages to read them, for people and for coding agents. */
export const docsRoutes: Route[] = [
  route.get(
    '/api/openapi.json',
    {
      name: 'getOpenApiDocument',
      summary: 'The main API as OpenAPI 3.0',
      description:
        'The document that this page shows, with samples for curl and the client package.',
      auth,
      responses: { 200: document, 304: current },
    },
    (ctx) => ctx.services.documents.main(ctx),
  ),

  route.get(
    '/api/public/openapi.json',
    {
      name: 'getWaitlistOpenApiDocument',
      summary: 'The waitlist API as OpenAPI 3.1',
      description: 'The document of the two public operations of the waitlist.',
      auth,
      responses: { 200: document, 304: current },
    },
    (ctx) => ctx.services.documents.waitlist(ctx),
  ),

  route.get(
    '/api/docs',
    {
      name: 'getDocs',
      summary: 'A page to read, search and try the API',
      description: 'HTML, for people.',
      auth,
      responses: { 200: page, 304: current },
    },
    (ctx) => ctx.services.documents.page(ctx),
  ),

  route.get(
    '/llms.txt',
    {
      name: 'getLlmsTxt',
      summary: 'Where coding agents find what they need',
      description: 'Plain text in the form of llmstxt.org.',
      auth,
      responses: { 200: index, 304: current },
    },
    (ctx) => ctx.services.documents.llms(ctx),
  ),

  route.get(
    '/api/docs/search',
    {
      name: 'searchDocs',
      summary: 'Search the guide, the reference and the operations',
      description: 'Finds words in any of them; the results lead to the paragraph.',
      auth: open(),
      query: DocsSearch,
      responses: { 200: page },
    },
    (ctx) => ctx.services.documents.search(ctx, ctx.input.query.q ?? ''),
  ),

  route.get(
    '/api/docs/:folder/:page',
    {
      name: 'getDocsPage',
      summary: 'How one part of the service works, or why it does',
      description:
        '`/api/docs/index` leads to all pages; with `.md` behind its name, a page is text. Folders are `reference`, `why`, and `operators` with pictures.',
      auth,
      params: { folder: { text: 'NOT_FOUND' }, page: { text: 'NOT_FOUND' } },
      responses: { 200: page, 304: current },
    },
    (ctx) => {
      const { folder, page: name } = ctx.input.params;
      const send = ctx.services.documents.assets.get(`${folder}/${name}`);
      if (!send) throw new AppError('NOT_FOUND');
      send(ctx);
    },
  ),

  route.get(
    '/client/:file',
    {
      name: 'getClientPackage',
      summary: 'The client package of this very version, for `npm install` and `pip install`',
      description:
        'The file is named by the version that this service runs; nothing of other versions is kept.',
      auth,
      params: { file: { text: 'NOT_FOUND' } },
      responses: { 200: packed, 304: current },
    },
    (ctx) => {
      const send = ctx.services.documents.clients.get(ctx.input.params.file);
      if (!send) throw new AppError('NOT_FOUND');
      send(ctx);
    },
  ),

  route.get(
    '/api/docs/:asset',
    {
      name: 'getDocsAsset',
      summary: 'A guide, or what the pages load',
      description:
        "`integrate` is the guide for a merchant's developer as a page, `integrate.md` as text, `agents.md` the one for coding agents; `index` leads to all pages, for merchants, partners, developers and operators; the rest are scripts and styles.",
      auth,
      params: { asset: { text: 'NOT_FOUND' } },
      responses: { 200: asset, 304: current },
    },
    (ctx) => {
      const send = ctx.services.documents.assets.get(ctx.input.params.asset);
      if (!send) throw new AppError('NOT_FOUND');
      send(ctx);
    },
  ),
];
