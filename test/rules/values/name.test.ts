import { isName, isolated, withoutSteering } from '../../../entities/rules/values/name';

describe('a name', () => {
  it.each([
    'Anna',
    'Zo\u00eb O\u2019Brien-Smith (Ltd.)',
    '\u0627\u0644\u0645\u062a\u062c\u0631',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0915\u094d\u200d\u0937',
    '\u{1f469}\u200d\u{1f4bb} Shop',
    '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
    '\u2764\ufe0f\u200d\u{1f525}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} Tea',
    '7',
    '?',
    '\u{1f600}',
  ])('is %j', (name) => expect(isName(name)).toBe(true));

  it.each([
    ['nothing', ''],
    ['spaces', ' \u3000'],
    ['zero width', '\u200b\u200d\u2060'],
    ['fillers', '\u3164\u115f\uffa0'],
    ['empty Braille', '\u2800'],
    ['marks alone', '\u034f\ufe0f'],
    ['right to left override', 'Anna\u202egnp'],
    ['an isolate', 'Anna\u2066 paid 100'],
    ['a zero width space within', 'An\u200bna'],
    ['a soft hyphen', 'An\u00adna'],
    ['a byte order mark within', 'An\ufeffna'],
    ['a joiner that joins nothing', 'Anna \u200d Lee'],
    ['tags without a flag', 'Anna\u{e0041}\u{e0042}'],
    ['a flag whose tags do not end', '\u{1f3f4}\u{e0067}\u{e0062}'],
    ['a line end', 'Anna\nLee'],
    ['a line separator', 'Anna\u2028Lee'],
    ['a control character', 'Anna\u0007'],
  ])('is not %s', (_, name) => expect(isName(name)).toBe(false));
});

describe('words of a person beside ours', () => {
  it.each([
    ['turn nothing', 'Late\u202e 00.01 DSU\u2066', 'Late 00.01 DSU'],
    ['hide nothing', 'sp\u200blit\u00ad \ufeffwords', 'split words'],
    ['steer no terminal', 'red \u001b[31m\u0007bell\u0085', 'red [31mbell\n'],
    ['end lines in one way', 'a\r\nb\rc\u2028d\u000be', 'a\nb\nc\nd\ne'],
    [
      'keep what joins letters and emoji, and flags',
      '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u{1f469}\u200d\u{1f373}\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
      '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u{1f469}\u200d\u{1f373}\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
    ],
    [
      'stay as they are',
      'Two\nlines,\ta tab \u2013 and caf\u00e9',
      'Two\nlines,\ta tab \u2013 and caf\u00e9',
    ],
  ])('keep their letters and lose what steers: %s', (_, typed, shown) =>
    expect(withoutSteering(typed)).toBe(shown),
  );
});

describe('a name in a sentence', () => {
  const arabic = '\u0627\u0644\u0645\u062a\u062c\u0631';

  it('stands in an isolate where it is read from the right, once', () => {
    expect(isolated(arabic)).toBe(`\u2068${arabic}\u2069`);
    expect(isolated(isolated(arabic))).toBe(isolated(arabic));
    expect(isolated(`Tea ${arabic}`)).toBe(`\u2068Tea ${arabic}\u2069`);
  });

  it.each(['Anna', '\u8336\u5e97', '\u{1f600}', ''])('stays as it is: %j', (name) =>
    expect(isolated(name)).toBe(name),
  );
});
