import { maxUrlLength } from '../../../entities/rules/partners/link-target';
import fc from 'fast-check';
import { isRepeat, longestUserAgent, storableText } from '../../../entities/rules/clicks/click';

describe('the text of a click', () => {
  it.each([
    [null, null],
    [undefined, null],
    ['', null],
    ['https://shop.example', 'https://shop.example'],
    ['a\u0000b', 'a\ufffdb'],
    ['a\ud800b', 'a\ufffdb'],
    ['\udc00', '\ufffd'],
    ['a\ud800', 'a\ufffd'],
    ['\u{1f600}', '\u{1f600}'],
  ])('%j is stored as %j', (given, stored) => {
    expect(storableText(given, maxUrlLength)).toBe(stored);
  });

  it('is cut, but never through a character', () => {
    expect(storableText('x'.repeat(3_000), 2_048)).toHaveLength(2_048);
    expect(storableText(`${'x'.repeat(2_047)}\u{1f600}`, 2_048)).toBe('x'.repeat(2_047));
  });

  it('is left whole where it is just as long', () => {
    expect(storableText('ab\ud800', 3)).toBe('ab\ufffd');
    expect([maxUrlLength, longestUserAgent]).toEqual([2_048, 512]);
  });

  it('can always be stored', () => {
    const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
    fc.assert(
      fc.property(anyUnits, fc.integer({ min: 1, max: 40 }), (units, longest) => {
        const text = storableText(String.fromCharCode(...units), longest) ?? '';
        return text.length <= longest && text.isWellFormed() && !text.includes('\0');
      }),
    );
  });
});

describe('a repeat of a click', () => {
  const clickedAt = new Date('2026-01-31T09:30:00.000Z');

  it.each([
    ['at once', 0, true],
    ['just within half an hour', 1_799_999, true],
    ['half an hour later', 1_800_000, false],
    ['by a clock that runs behind', -5_000, true],
  ])('counts once within half an hour: %s', (_name, afterMs, expected) => {
    expect(isRepeat(clickedAt, new Date(clickedAt.getTime() + afterMs))).toBe(expected);
  });
});
