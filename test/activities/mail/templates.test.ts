import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mailTypes, unsubscribeCategory } from '../../../entities/rules/mail/mail';
import { templateOf, templateTypes } from '../../../activities/mail/templates';
import { digestContent } from '../../../activities/mail/templates/digest';
import { showable } from '../../../activities/mail/templates/facts';
import { layOut, type MailContent } from '../../../activities/mail/templates/layout';
import { compileLayout } from '../../../stack/mail-templates/compile';
import { exampleContent, exampleMails } from '../../../stack/mail-templates/examples';
import { renderExample, templatesPage } from '../../../stack/mail-templates/page';

const root = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const examples = exampleMails();
const surroundings = { sender: 'Affiliate Programme' };

const hostile = '<img src=x onerror=alert(1)>"\'&';
const hostileFacts = {
  programName: hostile,
  partnerName: hostile,
  workspaceName: hostile,
  name: hostile,
  reason: hostile,
  url: hostile,
  memberEmail: hostile,
  kind: hostile,
  mode: hostile,
  prefix: hostile,
  rules: [hostile],
};

describe('the templates', () => {
  it('are one for every type of mail, on each side that gets it', () => {
    expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(Object.keys(mailTypes)));
    const both = examples.filter(({ type }) => type === 'payout.completed');
    expect(both.map(({ side }) => side).sort()).toEqual(['merchant', 'partner']);
    expect(() => exampleContent('participant.applied', 'partner')).toThrow('no mail for a partner');
  });

  it.each(examples)('$type of a $side says all it knows, in HTML and in text', (mail) => {
    const { content } = mail;
    const { html, text, subject } = renderExample(mail);
    expect(subject).toBe(content.subject);
    const said = [
      content.heading,
      content.why,
      ...content.paragraphs,
      ...(content.rows ?? []).flatMap(({ label, value }) => [label, value]),
      ...(content.items ?? []),
      ...(content.action ? [content.action.label, content.action.url] : []),
      ...(content.footnote ? [content.footnote] : []),
    ];
    for (const words of said) {
      expect(text).toContain(words);
      expect(html).toContain(words.replaceAll('"', '&quot;').replaceAll("'", '&#39;'));
    }
    expect(`${html}${text}`).not.toMatch(/\{\{|undefined|null|\[object/);
    expect(text).not.toMatch(/<[a-z/]/);
    const governed = mail.type === 'digest' || unsubscribeCategory(mail.type) !== undefined;
    expect(html.includes('Stop mails of this kind')).toBe(governed);
    expect(text.includes('Stop mails of this kind')).toBe(governed);
  });

  it.each(examples.filter(({ type }) => type !== 'digest'))(
    '$type of a $side escapes what others typed',
    ({ type, side }) => {
      if (type === 'digest') return;
      const content = exampleContent(type, side, hostileFacts);
      const { html } = layOut(content, surroundings);
      expect(html).not.toContain('<img');
      expect(html.includes('&lt;img')).toBe(JSON.stringify(content).includes('<img'));
    },
  );

  it.each(templateTypes)('%s stands without any fact', (type) => {
    const side = examples.find((example) => example.type === type)?.side ?? 'partner';
    const content = templateOf(type)({ side, params: {}, link: undefined });
    const { html, text } = layOut(content, surroundings);
    expect(`${html}${text}`).not.toMatch(/undefined|null/);
  });
});

describe('the layout', () => {
  const content: MailContent = { subject: 'S', heading: 'H', paragraphs: ['P'], why: 'W' };

  it('is compiled (npm run mail-templates)', () => {
    const source = read('activities/mail/templates/layout.mjml');
    expect(compileLayout(source)).toBe(read('activities/mail/templates/layout.html'));
  });

  it('keeps a subject on one line, and bounded', () => {
    const { subject } = layOut(
      { ...content, subject: `Hi\r\nBcc: v@example.com${'x'.repeat(999)}` },
      surroundings,
    );
    expect(subject).toMatch(/^Hi Bcc: v@example\.comx+…$/);
    expect(subject).toHaveLength(200);
  });

  it('leaves out what a mail does not have', () => {
    const { html } = layOut(content, surroundings);
    expect(html).not.toMatch(/<h1[^>]*><\/h1>|href=""|<p[^>]*><\/p>/);
    expect(html.match(/<table/g)?.length).toBeLessThan(30);
  });

  it('knows dark windows, and keeps programs from making links of numbers', () => {
    const { html } = layOut(content, surroundings);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toContain('telephone=no');
  });
});

describe('a digest', () => {
  it('names the first twenty and counts the rest', () => {
    const subjects = Array.from({ length: 20 }, (_, index) => `one of ${index}`);
    const { items, subject } = digestContent({ type: 'commission.approved', subjects, total: 90 });
    expect(items).toEqual([...subjects, 'and 70 more']);
    expect(subject).toBe('90 more: commissions are approved');
    expect(digestContent({ type: 'commission.approved', subjects, total: 20 }).items).toHaveLength(
      20,
    );
  });
});

describe('facts', () => {
  const typed = { programName: 'See www.evil.example', reason: 'See https://shop.example/terms' };

  it('lose links in names always, in reasons where the address was never verified', () => {
    expect(showable(typed, { verified: true })).toEqual({
      ...typed,
      programName: 'See evil example',
    });
    expect(showable(typed, { verified: false }).reason).toBe('See https shop example/terms');
  });
});

describe('the page of all templates', () => {
  it('is up to date (npm run mail-templates)', () => {
    expect(templatesPage()).toBe(read('docs/mail-templates/index.html'));
  });
});
