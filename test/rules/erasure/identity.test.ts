import {
  concernsPerson,
  namesPerson,
  scrub,
  tellingTexts,
} from '../../../entities/rules/erasure/identity';

const telling = tellingTexts({
  names: ['Ann Lee', 'Al'],
  emails: ['ann@mail.example'],
  codes: ['usd', 'ann-tea'],
});

it('takes no text for telling that is a word of every other', () => {
  expect(telling).toEqual(['ann lee', 'ann@mail.example', 'ann-tea']);
});

it.each([
  ['Thanks, ANN LEE!', true],
  ['to=ann@mail.example;', true],
  ['joann leeson', false],
  ['https://x.example/?ref=ann-tea&x', true],
  ['https://x.example/?ref=ann-teapot', false],
  ['', false],
])('%s names the person: %s', (text, names) => {
  expect(namesPerson(text, telling)).toBe(names);
});

it('scrubs texts, and the records of the person under former names, and nothing else', () => {
  const person = { participantId: 'p-1', telling };
  const stored = {
    items: [
      { participantId: 'p-1', partnerName: 'Former Name', currency: 'usd', amountCents: 5 },
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
      { participantId: 'p-1', partnerName: 'Erased partner', currency: 'usd', amountCents: 5 },
      { participantId: 'p-2', partnerName: 'Bert', currency: 'usd', amountCents: 7 },
    ],
    note: 'Erased',
    contact: 'erased@erased.invalid',
    status: 'ann-tea',
    message: null,
  });
});
