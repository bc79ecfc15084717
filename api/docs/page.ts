interface DocumentView {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationView>>;
  components: { schemas: Record<string, unknown> };
}

interface OperationView {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: unknown;
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> };
  responses: Record<string, ResponseView>;
}

interface ResponseView {
  description: string;
  content?: Record<string, { schema: unknown; example?: unknown }>;
}

/** The OpenAPI document as one static page: no script, nothing loaded from elsewhere. */
export function docsPage(source: Record<string, unknown>): string {
  const document = source as unknown as DocumentView;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const rows = own.map((entry) => renderOperation(entry, document)).join('');
    return `<section id="${slug(name)}"><h2>${escape(name)}</h2><p>${escape(description)}</p>${rows}</section>`;
  });
  const menu = document.tags
    .map(({ name }) => `<a href="#${slug(name)}">${escape(name)}</a>`)
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escape(document.info.title)}</title>
<style>${style}</style></head><body><nav><strong>${escape(document.info.title)}</strong>${menu}
<a href="openapi.json">openapi.json</a></nav><main><h1>API</h1>
<p class="lead">${prose(document.info.description)}</p>${sections.join('')}</main></body></html>`;
}

interface Entry {
  path: string;
  method: string;
  operation: OperationView;
}

function renderOperation({ path, method, operation }: Entry, document: DocumentView): string {
  const credential = operation.security.flatMap((scheme) => Object.keys(scheme)).join(' or ');
  return `<details id="${operation.operationId}"><summary><b class="${method}">${method.toUpperCase()}</b>
<code>${escape(path)}</code> <span>${escape(operation.summary)}</span></summary>
<p>${prose(operation.description ?? '')}</p>
<p class="note">Credential: ${credential || 'none'}. Operation <code>${operation.operationId}</code>.</p>
${renderParameters(operation)}${renderBody(operation, document)}${renderResponses(operation, document)}</details>`;
}

function renderParameters({ parameters }: OperationView): string {
  if (parameters.length === 0) return '';
  const rows = parameters
    .map(
      ({ name, in: place, required, description, schema }) =>
        `<tr><td><code>${escape(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${escape(description ?? '')} <code>${escape(compact(schema))}</code></td></tr>`,
    )
    .join('');
  return `<h4>Parameters</h4><table>${rows}</table>`;
}

function renderBody({ requestBody }: OperationView, document: DocumentView): string {
  if (!requestBody) return '';
  const [type, media] = Object.entries(requestBody.content)[0] ?? ['', { schema: {} }];
  return `<h4>Body${requestBody.required ? '' : ' (optional)'}, ${type}</h4>${renderSchema(media.schema, document)}`;
}

function renderResponses({ responses }: OperationView, document: DocumentView): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const media = Object.values(response.content ?? {})[0];
    const detail = Number(status) < 400 && media ? renderSchema(media.schema, document) : '';
    const example =
      media?.example === undefined || Number(status) >= 400
        ? ''
        : `<pre>${escape(JSON.stringify(media.example, null, 2))}</pre>`;
    const text = prose(response.description);
    return `<dt>${status}</dt><dd>${text.replace(/\n\n/g, '<br>')}${detail}${example}</dd>`;
  });
  return `<h4>Answers</h4><dl>${rows.join('')}</dl>`;
}

function renderSchema(schema: unknown, document: DocumentView): string {
  return `<pre>${escape(JSON.stringify(expand(schema, document, 0), null, 2))}</pre>`;
}

/** A schema as an example-like outline: field -> type. */
function expand(schema: unknown, document: DocumentView, depth: number): unknown {
  const node = schema as Record<string, unknown>;
  const reference = typeof node['$ref'] === 'string' ? node['$ref'].split('/').at(-1) : undefined;
  if (reference) {
    if (depth > 5) return reference;
    return expand(document.components.schemas[reference] ?? {}, document, depth + 1);
  }
  if (Array.isArray(node['allOf'])) return expand(node['allOf'][0], document, depth);
  if (node['type'] === 'array') return [expand(node['items'] ?? {}, document, depth + 1)];
  const properties = node['properties'] as Record<string, unknown> | undefined;
  if (!properties) return compact(node);
  const required = (node['required'] as string[] | undefined) ?? [];
  return Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [
      required.includes(name) ? name : `${name}?`,
      expand(child, document, depth + 1),
    ]),
  );
}

function compact(schema: unknown): string {
  const {
    type,
    format,
    enum: values,
    minimum,
    maximum,
    maxLength,
    nullable,
    description,
  } = schema as Record<string, unknown>;
  const parts = [
    Array.isArray(values)
      ? values.join(' | ')
      : format
        ? `${String(type)} (${String(format)})`
        : type,
    minimum === undefined ? '' : `>= ${String(minimum)}`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `<= ${String(maximum)}`,
    maxLength === undefined ? '' : `at most ${String(maxLength)} characters`,
    nullable ? 'or null' : '',
    description ? `- ${String(description)}` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** Text with `code` in it. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const style = `body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#1c2430;display:flex}
nav{position:sticky;top:0;height:100vh;overflow:auto;min-width:190px;padding:20px;background:#f4f6f9;box-sizing:border-box}
nav a{display:block;color:#33507a;text-decoration:none;padding:2px 0}nav strong{display:block;margin-bottom:12px}
main{padding:20px 40px;max-width:980px;min-width:0;flex:1}.lead{white-space:pre-line}
details{border:1px solid #dde3ea;border-radius:6px;margin:8px 0;padding:8px 12px}summary{cursor:pointer}
summary b{display:inline-block;min-width:62px}.get{color:#1a7f37}.post{color:#0550ae}.patch,.put{color:#9a6700}.delete{color:#cf222e}
summary span{color:#5b6675}pre{background:#f4f6f9;padding:10px;overflow:auto;border-radius:4px;font-size:12.5px}
table{border-collapse:collapse;width:100%}td{border-top:1px solid #e5e9ef;padding:4px 8px;vertical-align:top}
dt{font-weight:600;margin-top:8px}dd{margin-left:20px}.note{color:#5b6675;font-size:13px}code{font-size:13px}
@media(max-width:800px){body{display:block}nav{position:static;height:auto}main{padding:16px}}`;
