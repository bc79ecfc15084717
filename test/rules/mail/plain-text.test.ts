import fc from 'fast-check';
import {
  dottedName,
  oneLine,
  plainName,
  withoutLinks,
} from '../../../entities/rules/mail/plain-text';

describe('a name in a mail', () => {
  it.each([
    ['Acme Shop', 'Acme Shop'],
    ['Acme Inc.', 'Acme Inc.'],
    ['Dr. Jane Roe, No. 3.50', 'Dr. Jane Roe, No. 3.50'],
    ['Note: open 10:30', 'Note: open 10:30'],
    ['Crédit & Søn <b>', 'Crédit & Søn <b>'],
    ['https://evil.example/x', 'https evil example/x'],
    ['WWW.evil.example', 'evil example'],
    ['a@evil.example', 'a evil example'],
    ['mailto:x', 'mailto x'],
    ['evil。example', 'evil example'],
    ['evil\u200b.example', 'evil example'],
    ['evil．ｅｘａｍｐｌｅ', 'evil ｅｘａｍｐｌｅ'],
    ['http://192.168.1.1/x', 'http 192 168 1 1/x'],
    ['\u202egpj.exe', 'gpj exe'],
    ['one\r\n\r\ntwo', 'one two'],
    ['one\u2028two\u0085three', 'one two three'],
  ])('%j reads %j', (typed, shown) => {
    expect(plainName(typed)).toBe(shown);
  });

  it('is cut, by whole characters', () => {
    expect(plainName('😀'.repeat(200))).toBe(`${'😀'.repeat(99)}…`);
  });

  it('is one line without an address, whatever was typed', () => {
    const parts = fc.constantFrom(
      '://',
      '.',
      'www.',
      '@',
      'com',
      'http',
      '\n',
      '\u200b',
      '。',
      '/',
    );
    const typed = fc.array(fc.oneof(parts, fc.string({ unit: 'binary' })), { maxLength: 12 });
    fc.assert(
      fc.property(typed, (words) => {
        const shown = plainName(words.join(''));
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029@]|:\/|www\.|\S\.\p{L}/u);
      }),
    );
  });
});

describe('a name in a mail to a proved address', () => {
  it.each([
    ['Cal.com', 'Cal\u2060.\u2060com'],
    ['J.P. Morgan', 'J\u2060.\u2060P. Morgan'],
    ['https://www.evil.example/x', 'https evil\u2060.\u2060example/x'],
    ['a@evil.example', 'a evil\u2060.\u2060example'],
    ['evil\u200b.example', 'evil\u2060.\u2060example'],
    ['evil..example', 'evil example'],
  ])('%j keeps the dots inside of words, and makes no link: %j', (typed, shown) => {
    expect(dottedName(typed)).toBe(shown);
    expect(shown).not.toMatch(/[\p{L}\p{N}]\.\p{L}/u);
  });
});

describe('other text', () => {
  it('keeps its lines and its length without its links', () => {
    const long = `See https://evil.example.\n${'word '.repeat(100)}`;
    expect(withoutLinks(long)).toBe(`See https evil example.\n${'word '.repeat(100)}`);
  });

  it('fits a header as one line', () => {
    expect(oneLine('Hello\r\nBcc: victim@example.com', 100)).toBe('Hello Bcc: victim@example.com');
    expect(oneLine('abcdef', 4)).toBe('abc…');
  });
});
