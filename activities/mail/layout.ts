/** What a mail says, without any markup: every text is escaped by the layout. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** The one thing to click. */
  action?: { label: string; url: string };
  /** Small print below: why it came, what to do if it was not you. */
  footnote?: string;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** HTML and text of a mail; plain tables and inline styles, since mail readers know nothing else. */
export function layOut(content: MailContent, unsubscribeUrl?: string): RenderedMail {
  return {
    subject: oneLine(content.subject),
    html: toHtml(content, unsubscribeUrl),
    text: toText(content, unsubscribeUrl),
  };
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A subject is a header: names with line ends must not start another one. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 300);
}

const style = {
  body: 'margin:0;padding:24px;background:#f4f5f7;font-family:Arial,Helvetica,sans-serif;color:#1c2330',
  card: 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px',
  heading: 'margin:0 0 16px;font-size:20px',
  paragraph: 'margin:0 0 16px;font-size:15px;line-height:1.5',
  button:
    'display:inline-block;padding:12px 20px;background:#2456d6;border-radius:6px;color:#ffffff;font-size:15px;text-decoration:none',
  small: 'margin:16px 0 0;font-size:12px;line-height:1.5;color:#5b6475',
};

function toHtml(
  { heading, paragraphs, action, footnote, subject }: MailContent,
  unsubscribe?: string,
) {
  const small = (inner: string): string => `<p style="${style.small}">${inner}</p>`;
  const parts = [
    `<h1 style="${style.heading}">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => `<p style="${style.paragraph}">${escapeHtml(text)}</p>`),
    ...(action
      ? [
          `<p style="${style.paragraph}"><a href="${escapeHtml(action.url)}" style="${style.button}">${escapeHtml(action.label)}</a></p>`,
          small(`Or open this address: ${escapeHtml(action.url)}`),
        ]
      : []),
    ...(footnote ? [small(escapeHtml(footnote))] : []),
    ...(unsubscribe
      ? [small(`<a href="${escapeHtml(unsubscribe)}">Stop mails of this kind</a>`)]
      : []),
  ];
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${style.body}"><div style="${style.card}">`,
    ...parts,
    '</div></body></html>',
  ].join('\n');
}

function toText(
  { heading, paragraphs, action, footnote }: MailContent,
  unsubscribe?: string,
): string {
  return [
    heading,
    ...paragraphs,
    ...(action ? [`${action.label}: ${action.url}`] : []),
    ...(footnote ? [footnote] : []),
    ...(unsubscribe ? [`Stop mails of this kind: ${unsubscribe}`] : []),
  ].join('\n\n');
}
