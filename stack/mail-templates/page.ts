import { escapeHtml, renderLayout } from '../../activities/mail/templates/layout';
import { mailTypes, unsubscribeCategory } from '../../entities/rules/mail/mail';
import { exampleMails, type ExampleMail } from './examples';

/** A page with every mail as it reads, HTML beside text, in the colours that the reader's system has. */
export function templatesPage(): string {
  const mails = exampleMails();
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>Mail templates</title>',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<style>${style}</style></head><body>`,
    '<h1>Mail templates</h1>',
    `<p>All ${Object.keys(mailTypes).length} types from example facts, written by <code>npm run mail-templates</code>. Comments for old Outlook are left out here.</p>`,
    `<ul class="types">${mails.map(entry).join('')}</ul>`,
    ...mails.map(section),
    '</body></html>\n',
  ].join('\n');
}

export function renderExample({ type, content }: ExampleMail): ReturnType<typeof renderLayout> {
  const governed = type === 'digest' || unsubscribeCategory(type) !== undefined;
  return renderLayout(content, {
    sender: 'Affiliate Programme',
    unsubscribeUrl: governed ? 'https://api.example/unsubscribe?token=example' : undefined,
  });
}

const style = `
:root{color-scheme:light dark}
body{margin:0 auto;padding:24px;max-width:1200px;font:15px/1.5 system-ui,sans-serif}
.types{columns:18em;padding-left:1.2em}
section{margin:40px 0;display:flex;flex-wrap:wrap;gap:16px}
h2{flex-basis:100%;margin:0;font-size:17px}
h2 small{font-weight:400;opacity:.7}
iframe{flex:1 1 560px;min-width:0;height:560px;border:1px solid #8886;border-radius:8px}
pre{flex:1 1 320px;min-width:0;margin:0;padding:16px;border:1px solid #8886;border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
`;

const anchor = ({ type, side }: ExampleMail): string => `${side}-${type}`;

function entry(mail: ExampleMail): string {
  return `<li><a href="#${anchor(mail)}">${mail.type}</a> (${mail.side})</li>`;
}

function section(mail: ExampleMail): string {
  const { subject, html, text } = renderExample(mail);
  const shown = html
    .replace(/<!--\[if [^>]*mso[^>]*\]>[\s\S]*?<!\[endif\]-->/g, '')
    .replace(/\n+/g, ' ');
  return `<section id="${anchor(mail)}"><h2>${escapeHtml(subject)} <small>${mail.type}, ${mail.side}</small></h2>
<iframe title="${anchor(mail)}" loading="lazy" srcdoc="${attribute(shown)}"></iframe>
<pre>${escapeHtml(text)}</pre></section>`;
}

/** The text in double quotes, where only these two need escaping; more would only make the page longer. */
function attribute(html: string): string {
  return html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
