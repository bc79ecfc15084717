import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inWords } from '../../../web/ui/format';

const web = path.join(__dirname, '../../../web');

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(web, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(folder, file));

/** Every word by the export that holds it, such as `inbox` of app/inbox.ts, and by its name there. */
function wordsOf(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [at];
  return Object.entries(value).flatMap(([key, inner]) => wordsOf(inner, `${at}.${key}`));
}

/** What a source calls by other names, as imports and `const words = text.signIn;` do: paths by name. */
class Names {
  private readonly paths = new Map<string, string>();
  /** The source without what only gives names. */
  private readonly body: string;

  constructor(source: string) {
    for (const [, names = '', file = ''] of source.matchAll(
      /import \{([^}]*)\} from '(?:\.\.?\/)+text\/(en[\w/-]*)'/g,
    )) {
      for (const [, exported = '', name = exported] of names.matchAll(/(\w+)(?: as (\w+))?/g)) {
        this.paths.set(name, `${file}:${exported}`);
      }
    }
    this.body = source
      .replaceAll(/import [^;]*;/g, '')
      .replaceAll(/const (\w+|\{[^}=]*\}) = ([\w.]+);/g, (all, given: string, chain: string) => {
        const part = this.pathOf(chain);
        if (part === undefined) return all;
        if (!given.startsWith('{')) this.paths.set(given, part);
        else this.takeApart(given, part);
        return '';
      });
  }

  private takeApart(given: string, part: string): void {
    for (const [, key = '', name = key] of given.matchAll(/(\w+)(?:: (\w+))?/g)) {
      this.paths.set(name, `${part}.${key}`);
    }
  }

  private pathOf(chain: string): string | undefined {
    const [first = '', ...rest] = chain.split('.');
    const known = this.paths.get(first);
    return known && [known, ...rest].join('.');
  }

  /** What is said, as paths; where a part is taken as a whole, that part. */
  said(): string[] {
    return [...this.paths.keys()].flatMap((name) => {
      const chains = new RegExp(`(?<![\\w.'/-])${name}\\b(?!['/:])(\\s*\\??\\.\\w+)*`, 'g');
      return (this.body.match(chains) ?? []).map(
        (chain) => this.pathOf(chain.replaceAll(/[\s?]/g, '')) ?? '',
      );
    });
  }
}

it('every word is said by some page', async () => {
  const sources = ['app', 'portal', 'mails', 'account', 'session', 'ui'].flatMap(filesBelow);
  const said = new Set(
    sources.flatMap((file) => new Names(readFileSync(path.join(web, file), 'utf8')).said()),
  );
  const isSaid = (word: string): boolean => {
    const parts = word.split('.');
    return parts.some((_, index) => said.has(parts.slice(0, index + 1).join('.')));
  };
  const words: string[] = [];
  // What stands in `text` as well is said by that name.
  const files = filesBelow('text').filter((file) => !file.startsWith('text/en/account'));
  for (const file of files) {
    const all = (await import(path.join(web, file))) as Record<string, object>;
    const name = file.replace(/^text\/|\.ts$/g, '');
    words.push(...Object.keys(all).flatMap((one) => wordsOf(all[one], `${name}:${one}`)));
  }
  expect(words.length).toBeGreaterThan(500);
  expect(words.filter((word) => !isSaid(word))).toEqual([]);
});

it.each([
  ['approve_override', 'Approved before the hold ended'],
  ['SELF_REFERRAL_EMAIL', 'Partner buys by their own email'],
  ['same_ip_as_partner', 'Same IP address as the partner'],
  ['accrual', 'Earned'],
  ['programs', 'Programmes'],
  ['login.succeeded', 'Login succeeded'],
  ['program.created', 'Programme created'],
  ['participant.referral_code_changed', 'Partner referral code changed'],
  ['conversions', 'Sales'],
  ['NEEDS_REVIEW', 'Needs review'],
])('says the codes of the API in words of people: %s', (code, words) => {
  expect(inWords(code)).toBe(words);
});
