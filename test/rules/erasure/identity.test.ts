import {
  concernsPerson,
  freelyNames,
  namesForCertain,
  namesPerson,
  scrub,
  identifyingTexts,
} from '../../../entities/rules/erasure/identity';

const identifying = identifyingTexts({
  names: ['Ann Lee', 'Al'],
  emails: ['ann@mail.example'],
  codes: ['usd', 'ann-tea'],
});

it('takes no text for identifying that is a word of every other', () => {
  expect(identifying).toEqual(['ann lee', 'ann@mail.example', 'ann-tea']);
});

it.each([
  ['Thanks, ANN LEE!', true],
  ['to=ann@mail.example;', true],
  ['joann leeson', false],
  ['https://x.example/?ref=ann-tea&x', true],
  ['https://x.example/?ref=ann-teapot', false],
  ['', false],
])('%s names the person: %s', (text, names) => {
  expect(namesPerson(text, identifying)).toBe(names);
});

it('scrubs texts, and the records of the person under former names, and nothing else', () => {
  const person = { participantId: 'p-1', identifying };
  const stored = {
    items: [
      { participantId: 'p-1', partnerName: 'Former Name', note: 'Knows him', currency: 'usd' },
      { participantId: 'p-2', partnerName: 'Bert', currency: 'usd', amountCents: 7 },
    ],
    note: 'for Ann Lee',
    contact: 'ann@mail.example',
    status: 'ann-tea',
    message: null,
  };
  expect(concernsPerson(JSON.stringify(stored), person)).toBe(true);
  expect(scrub(stored, person)).toEqual({
    items: [
      { participantId: 'p-1', partnerName: 'Erased partner', note: 'Erased', currency: 'usd' },
      { participantId: 'p-2', partnerName: 'Bert', currency: 'usd', amountCents: 7 },
    ],
    note: 'Erased',
    contact: 'erased@erased.invalid',
    status: 'ann-tea',
    message: null,
  });
});

it('leaves keys, addresses of machines and single words elsewhere as they are', () => {
  const words = identifyingTexts({ names: ['live', 'https', 'hooks'], emails: [], codes: [] });
  const stored = {
    key: 'sk_live_0123456789',
    prefix: 'sk_live_',
    url: 'https://shop.example/hooks/live',
    events: ['live'],
    name: 'A live page',
  };
  expect(scrub(stored, { participantId: 'p-1', identifying: words })).toEqual({
    ...stored,
    name: 'Erased',
  });
});

it('finds a referral code that is a whole parameter of a URL', () => {
  const person = { participantId: 'p-1', identifying };
  expect(scrub({ url: 'https://x.example/?a=1&ref=Ann-Tea' }, person)).toEqual({ url: 'Erased' });
  const other = { url: 'https://x.example/ann-tea?ref=ann-teapot' };
  expect(scrub(other, person)).toEqual(other);
});

it('takes texts for identifying as they are compared: trimmed, in lower case, and none that is empty', () => {
  const texts = identifyingTexts({ names: [' ANN Lee '], emails: ['', 'X'], codes: [' abcde '] });
  expect(texts).toEqual(['ann lee', 'x', 'abcde']);
});

it('finds a name that begins within what looked like it', () => {
  expect(namesPerson('a****', ['***'])).toBe(true);
  expect(namesPerson('a***b', ['***'])).toBe(false);
});

it.each([
  ['see ?ref=ann-tea', false, true],
  ['https://x.example/?ref=ann-tea', true, true],
  ['https://x.example/ann-tea', false, false],
  ['https://x.example/ann%20lee', true, true],
  ['ann-tea', false, true],
  ['ann lee', true, true],
])('%s names for certain: %s, where people write: %s', (text, certainly, freely) => {
  expect([namesForCertain(text, identifying), freelyNames(text, identifying)]).toEqual([
    certainly,
    freely,
  ]);
});

it('leaves what no person fills in', () => {
  const stored = { id: 'Ann Lee', created_at: 'Ann Lee', signingSecret: 'ann@mail.example' };
  expect(scrub(stored, { participantId: 'p-1', identifying })).toEqual(stored);
});

it('scrubs texts that stand alone or in lists, and leaves all that is none', () => {
  const person = { participantId: 'p-1', identifying };
  expect(scrub(['by Ann Lee', 7, null, true], person)).toEqual(['Erased', 7, null, true]);
});

it('concerns the person by their id or by a text that names them', () => {
  const person = { participantId: 'p-1', identifying };
  expect(['"p-1"', 'for Ann Lee', 'neither'].map((text) => concernsPerson(text, person))).toEqual([
    true,
    true,
    false,
  ]);
});
