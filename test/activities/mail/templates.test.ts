import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDigestible } from '../../../entities/rules/mail/digest';
import { mailTypes, unsubscribeCategory, type MailType } from '../../../entities/rules/mail/mail';
import { templateOf, templateTypes } from '../../../activities/mail/templates';
import { digestContent, type DigestFacts } from '../../../activities/mail/templates/digest';
import { showable } from '../../../activities/mail/templates/facts';
import { renderLayout, type MailContent } from '../../../activities/mail/templates/layout';
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
      const { html } = renderLayout(content, surroundings);
      expect(html).not.toContain('<img');
      expect(html.includes('&lt;img')).toBe(JSON.stringify(content).includes('<img'));
    },
  );

  it.each(templateTypes)('%s stands without any fact', (type) => {
    const side = examples.find((example) => example.type === type)?.side ?? 'partner';
    const content = templateOf(type)({ side, params: {}, link: undefined });
    const { html, text } = renderLayout(content, surroundings);
    expect(`${html}${text}`).not.toMatch(/undefined|null/);
  });
});

const buttonColours =
  /background(?:-color)?(?:: |=")(#[0-9a-f]{6})(?: !important;|")\s+color(?:: |=")(#[0-9a-f]{6})/g;

/** The contrast by WCAG 2 of two colours like #1f2733. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the layout', () => {
  const content: MailContent = { subject: 'S', heading: 'H', paragraphs: ['P'], why: 'W' };

  it('is compiled (npm run mail-templates)', async () => {
    const source = read('activities/mail/templates/layout.mjml');
    expect(await compileLayout(source)).toBe(read('activities/mail/templates/layout.html'));
  });

  it('keeps a subject on one line, and bounded', () => {
    const { subject } = renderLayout(
      { ...content, subject: `Hi\r\nBcc: v@example.com${'x'.repeat(999)}` },
      surroundings,
    );
    expect(subject).toMatch(/^Hi Bcc: v@example\.comx+…$/);
    expect(subject).toHaveLength(200);
  });

  it('leaves out what a mail does not have', () => {
    const { html } = renderLayout(content, surroundings);
    expect(html).not.toMatch(/<h1[^>]*><\/h1>|href=""|<p[^>]*><\/p>/);
    expect(html.match(/<table/g)?.length).toBeLessThan(30);
  });

  it('has buttons that can be read, in light and in dark windows', () => {
    const colours = [...read('activities/mail/templates/layout.mjml').matchAll(buttonColours)];
    expect(colours.length).toBeGreaterThan(0);
    for (const [, back = '', ink = ''] of colours) {
      expect(contrast(back, ink)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('knows dark windows, and keeps programs from making links of numbers', () => {
    const { html } = renderLayout(content, surroundings);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toContain('telephone=no');
  });

  it('darkens whatever the page paints light: the body, and the block that MJML puts into it', () => {
    const { html } = renderLayout(content, surroundings);
    const light = [...html.matchAll(/<(\w+)[^>]*background-color:#f2f4f7/g)].map(([, tag]) => tag);
    expect(light).toEqual(['body', 'div']);
    expect(html).toMatch(/\.page,\s*\.page > div \{\s*background: #12161c !important/);
  });
});

const digestOf = (facts: Partial<DigestFacts>) =>
  digestContent({ type: 'commission.approved', lines: [], total: 0, sums: [], ...facts });

describe('a digest', () => {
  it('names the first twenty and counts the rest', () => {
    const lines = Array.from({ length: 20 }, (_, index) => ({ subject: `one of ${index}` }));
    const { items, subject } = digestOf({ lines, total: 90 });
    expect(items).toEqual([...lines.map((line) => line.subject), 'and 70 more']);
    expect(subject).toBe('90 more commissions are approved');
    expect(digestOf({ lines, total: 20 }).items).toHaveLength(20);
    expect(digestOf({ lines: lines.slice(0, 1), total: 1 }).subject).toBe('one of 0');
  });

  it('names the programmes, and what all of them come to', () => {
    const lines = [{ subject: 'EUR 5.00', programName: 'Acme' }, { subject: 'Acme: EUR 7.00' }];
    const sums = [
      { amountCents: 1_200, currency: 'eur' },
      { amountCents: 900, currency: 'jpy' },
    ];
    const { items, rows } = digestOf({ lines, total: 2, sums });
    expect(items).toEqual(['EUR 5.00 (Acme)', 'Acme: EUR 7.00']);
    expect(rows).toEqual([{ label: 'Together', value: 'EUR 12.00 and JPY 900' }]);
  });

  it('has words of its own for every kind that can be one', () => {
    const kinds = (Object.keys(mailTypes) as MailType[]).filter(isDigestible);
    const plain = kinds.filter((type) =>
      digestOf({ type, total: 2 }).subject.endsWith(' notifications'),
    );
    expect(plain).toEqual([]);
  });
});

describe('facts', () => {
  const typed = { programName: 'See www.evil.example', reason: 'See https://shop.example/terms' };

  it('lose links in names always, in reasons where the address was never verified', () => {
    expect(showable(typed, { verified: true })).toEqual({
      ...typed,
      programName: 'See evil\u2060.\u2060example',
    });
    expect(showable(typed, { verified: false }).reason).toBe('See https shop example/terms');
    expect(showable({ transactionId: 'a.example' }, { verified: false }).transactionId).toBe(
      'a example',
    );
  });

  it.each([true, false])(
    'turn, hide and steer nothing, where the address is verified: %s',
    (verified) => {
      const steering = 'Late\u202e 00\u200b1 \u0007\u001b';
      const told = { reason: steering, transactionId: steering, message: steering };
      const plain = 'Late 001 ';
      const shown = { reason: plain, transactionId: plain, message: plain };
      expect(showable(told, { verified })).toEqual(shown);
    },
  );
});

describe('the page of all templates', () => {
  it('is up to date (npm run mail-templates)', () => {
    expect(templatesPage()).toBe(read('docs/mail-templates/index.html'));
  });
});
