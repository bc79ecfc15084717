import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CaughtMail, MailStore } from './store';

/**
 * `/` lists the mails, `/messages/<id>` shows one, `/messages/<id>/html` its HTML alone; the same as
 * JSON below `/api/messages` (`?to=` filters, DELETE forgets all).
 */
export function answerMailRequest(
  store: MailStore,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [area, id, part] = url.pathname
    .replace(/^\/api\/messages/, '/api')
    .split('/')
    .slice(1);
  if (area === 'api') return void answerApi(store, { request, response }, { url, id });
  if (area === '') return sendHtml(response, 200, listPage(store.list(), url));
  const mail = area === 'messages' && id ? store.find(id) : undefined;
  if (!mail) return sendHtml(response, 404, page('Not found', '<p>No such mail.</p>'));
  if (part === 'html') return sendMailHtml(response, mail);
  sendHtml(response, 200, mailPage(mail));
}

async function answerApi(
  store: MailStore,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { url, id }: { url: URL; id: string | undefined },
): Promise<void> {
  if (request.method === 'DELETE') {
    await store.clear();
    return sendJson(response, 200, {});
  }
  if (!id) return sendJson(response, 200, store.list(url.searchParams.get('to') ?? undefined));
  const mail = store.find(id);
  sendJson(response, mail ? 200 : 404, mail ?? { message: 'No such mail.' });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body));
}

function sendHtml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(body);
}

function sendMailHtml(response: ServerResponse, mail: CaughtMail): void {
  // Mails are data: whatever stands in one must not run as this page.
  response.setHeader('Content-Security-Policy', `sandbox ${SANDBOX}; script-src 'none'`);
  sendHtml(response, 200, mail.html || `<pre>${escape(mail.text)}</pre>`);
}

/** No scripts and no forms; a link opens a usual tab, and this page may measure the mail's height. */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

function listPage(mails: readonly CaughtMail[], url: URL): string {
  const wanted = url.searchParams.get('to');
  const shown = wanted ? mails.filter((mail) => mail.to.includes(wanted)) : mails;
  const rows = shown.map(
    (mail) => `<tr><td>${mail.receivedAt}</td><td>${escape(mail.to.join(', '))}</td>
      <td><a href="/messages/${mail.id}">${escape(mail.subject || '(no subject)')}</a></td></tr>`,
  );
  const table = `<table><tr><th>Received</th><th>To</th><th>Subject</th></tr>${rows.join('')}</table>`;
  return page(
    'Mails',
    shown.length > 0 ? table : '<p>No mail yet. This page shows what is sent.</p>',
  );
}

function mailPage(mail: CaughtMail): string {
  const headers = mail.headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return page(
    mail.subject || '(no subject)',
    `<p><a href="/">All mails</a></p>
     <p>From ${escape(mail.from)} to ${escape(mail.to.join(', '))}, ${mail.receivedAt}</p>
     <iframe sandbox="${SANDBOX}" src="/messages/${mail.id}/html" title="HTML"></iframe>
     <script>${FIT_HEIGHT}</script>
     <h2>Text</h2><pre>${withLinks(escape(mail.text))}</pre>
     <h2>Headers</h2><pre>${escape(headers)}</pre>`,
  );
}

/** A mail is seen whole: its button is not to be looked for in a frame that scrolls. */
const FIT_HEIGHT = `
  const frame = document.querySelector('iframe');
  const fit = () => { frame.style.height = frame.contentDocument.documentElement.scrollHeight + 2 + 'px' };
  frame.addEventListener('load', fit);
  addEventListener('resize', fit);
`;

/** Addresses in text that is escaped already, as links that open a tab. */
function withLinks(escaped: string): string {
  return escaped.replace(
    /https?:\/\/[^\s<>]+?(?=[.,;:!?)\]]*(?:\s|&lt;|&gt;|&quot;|$))/g,
    (address) => `<a href="${address}" target="_blank" rel="noreferrer">${address}</a>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${escape(title)}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
    color: light-dark(#1d2733, #dde3ea); background: light-dark(#fff, #14191f); overflow-wrap: anywhere }
  table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .5rem; border-bottom: 1px solid light-dark(#dde3ea, #36404a) }
  iframe { width: 100%; height: 28rem; border: 1px solid light-dark(#dde3ea, #36404a); border-radius: 6px;
    box-sizing: border-box; background: #fff; color-scheme: light }
  pre { background: light-dark(#f5f7fa, #20272e); padding: 1rem; white-space: pre-wrap; border-radius: 6px }
</style><h1>${escape(title)}</h1>${body}</html>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
