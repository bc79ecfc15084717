import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StaticFile } from '../http/server/static-file';
import { escape } from './escape';
import type { Place } from './pages';

interface DocumentView {
  info: { title: string };
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
}

const cacheControl = 'public, max-age=60';

/** Everything comes from our own origin; the library sets styles of elements by itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The reference of the API: a list that needs no script, which Swagger UI replaces. */
export function docsPage(
  source: Record<string, unknown>,
  { pageEnd, pagesBelow: below }: Place,
): StaticFile {
  const { info, paths } = source as unknown as DocumentView;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) =>
        `<li><code>${method.toUpperCase()} ${escape(path)}</code> ${escape(summary)}</li>`,
    ),
  );
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(info.title)}</title>
<link rel="stylesheet" href="${below}swagger-ui.css"><link rel="stylesheet" href="${below}page.css">
</head><body><div id="reference"><h1>${escape(info.title)}</h1>
<p>Begin with <a href="${below}integrate${pageEnd}">the guide</a>, or with <a href="${below}index${pageEnd}">all pages</a>. The whole description: <a href="openapi.json">openapi.json</a></p><ul>${operations.join('\n')}</ul></div>
<script src="${below}swagger-ui-bundle.js"></script><script src="${below}swagger-ui-standalone-preset.js"></script>
<script src="${below}page.js"></script></body></html>`;
  const headers = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' };
  return { type: 'html', body, cacheControl, headers };
}

const library = dirname(require.resolve('swagger-ui-dist/package.json'));
const ofLibrary = (name: string, type: string) => (): StaticFile => ({
  type,
  body: readFileSync(join(library, name)),
  cacheControl: 'public, max-age=3600',
});
const ofOurs = (type: string, body: string) => (): StaticFile => ({ type, body, cacheControl });

/**
 * Search looks at paths, summaries and names of operations and groups. A key or token that was typed
 * in goes to the origin that the page came from, whatever server the document names.
 */
const script = `
const words = (text) => text.toLowerCase().split(/\\s+/).filter(Boolean);
const textOf = (tag, operation) => [tag, operation.get('path'), operation.get('method'),
  operation.getIn(['operation', 'summary']), operation.getIn(['operation', 'operationId'])]
  .join(' ').toLowerCase();
const search = (groups, phrase) => groups
  .map((group, tag) => group.update('operations', (operations) => operations.filter((operation) =>
    words(phrase).every((word) => textOf(tag, operation).includes(word)))))
  .filter((group) => group.get('operations').size > 0);
const toOwnOrigin = (request) => {
  if (request.loadSpec) return request;
  const { pathname, search: query } = new URL(request.url, location.href);
  return { ...request, url: location.origin + pathname + query };
};
const samples = (Original, { React, specSelectors }) => (props) => {
  const place = ['paths', ...props.pathMethod, 'x-codeSamples'];
  const list = specSelectors.specJson().getIn(place);
  const blocks = list ? list.toJS().map(({ label, source }) => React.createElement('div',
    { key: label, className: 'sample' }, React.createElement('h4', null, label),
    React.createElement('pre', { tabIndex: 0 }, source))) : [];
  return React.createElement('div', null,
    React.createElement('div', { className: 'samples' }, blocks), React.createElement(Original, props));
};
window.ui = SwaggerUIBundle({
  urls: [
    { url: 'openapi.json', name: 'Main API' },
    { url: 'public/openapi.json', name: 'Waitlist' },
  ],
  dom_id: '#reference',
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [() => ({ fn: { opsFilter: search }, wrapComponents: { parameters: samples } })],
  filter: true,
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  requestInterceptor: toOwnOrigin,
  validatorUrl: null,
});
`;

const style = `
body { margin: 0; }
.swagger-ui .topbar { background: #1b2733; padding: 8px 0; }
.swagger-ui .topbar .topbar-wrapper > a { display: none; }
.swagger-ui .samples { display: flex; flex-wrap: wrap; gap: 16px; padding: 16px 20px 0; }
.swagger-ui .sample { flex: 1 1 320px; min-width: 0; }
.swagger-ui .sample h4 { margin: 0 0 4px; font-size: 14px; }
.swagger-ui .sample pre { margin: 0; padding: 12px; overflow-x: auto; border-radius: 4px; color: #fff; background: #1b2733;
  font: 12px/1.5 monospace; white-space: pre; }
.swagger-ui .scheme-container { padding: 16px 0; }
.swagger-ui .filter .operation-filter-input { margin: 16px 0 0; max-width: none; }
`;

/** What the page loads, by name. */
export const docsAssets: Readonly<Record<string, () => StaticFile>> = {
  'swagger-ui.css': ofLibrary('swagger-ui.css', 'css'),
  'swagger-ui-bundle.js': ofLibrary('swagger-ui-bundle.js', 'js'),
  'swagger-ui-standalone-preset.js': ofLibrary('swagger-ui-standalone-preset.js', 'js'),
  'page.css': ofOurs('css', style),
  'page.js': ofOurs('js', script),
};
