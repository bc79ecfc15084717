import { readFileSync } from 'node:fs';
import path from 'node:path';
import Mustache from 'mustache';
import { oneLine } from '../../../entities/rules/mail/plain-text';

/** What a mail says, without any markup: the layout escapes every text. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** Facts at a glance, such as the programme and the amount. */
  rows?: { label: string; value: string }[];
  /** One line for each thing that a digest takes together. */
  items?: string[];
  /** The one thing to click. */
  action?: { label: string; url: string };
  /** The other thing to click. */
  second?: { label: string; url: string };
  /** Small print: what to do if it was not you. */
  footnote?: string;
  /** Why this person gets it. */
  why: string;
}

export interface Surroundings {
  /** The name of whoever runs the service. */
  sender: string;
  unsubscribeUrl?: string | undefined;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

// layout.mjml, compiled ahead by `npm run mail-templates`: a process that sends mails needs no compiler.
const layout = readFileSync(path.join(__dirname, 'layout.html'), 'utf8');
Mustache.parse(layout);

/** HTML and text of a mail. */
export function renderLayout(content: MailContent, surroundings: Surroundings): RenderedMail {
  const subject = oneLine(content.subject, 200);
  return {
    subject,
    html: toHtml({ ...content, subject }, surroundings),
    text: toText(content, surroundings),
  };
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function toHtml(content: MailContent, { sender, unsubscribeUrl }: Surroundings): string {
  const { paragraphs, rows = [], items = [] } = content;
  const view = {
    ...content,
    sender,
    preview: paragraphs[0] ?? content.heading,
    hasParagraphs: paragraphs.length > 0,
    hasRows: rows.length > 0,
    rows,
    hasItems: items.length > 0,
    items,
    unsubscribe: unsubscribeUrl,
  };
  return Mustache.render(layout, view, {}, { escape: escapeHtml });
}

function toText(content: MailContent, { sender, unsubscribeUrl }: Surroundings): string {
  const { heading, paragraphs, rows = [], items = [], action, second, footnote, why } = content;
  return [
    heading,
    ...paragraphs,
    ...(rows.length > 0 ? [rows.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(items.length > 0 ? [items.map((item) => `- ${item}`).join('\n')] : []),
    ...(action ? [`${action.label}: ${action.url}`] : []),
    ...(second ? [`${second.label}: ${second.url}`] : []),
    ...(footnote ? [footnote] : []),
    `-- \n${sender}\n${why}`,
    ...(unsubscribeUrl ? [`Stop mails of this kind: ${unsubscribeUrl}`] : []),
  ].join('\n\n');
}
