import fc from 'fast-check';
import { maxEventWords, wordsOf, wordsOfEvent } from '../../../entities/rules/erasure/event-words';
import { identifyingTexts } from '../../../entities/rules/erasure/identity';
import { eventWithoutPerson } from '../../../entities/rules/erasure/stripe-event';

const pieces = [
  'jane',
  'Doe',
  'ÉLODIE',
  'Σίσυφος',
  'ΟΔΟΣ',
  'İpek',
  '李明',
  'jane@x.example',
  'ref=jane',
  '%40x',
  '𝒳',
  ' ',
  '.',
  '-',
  '"',
  'https://shop.example/?to=',
  '7',
];
const text = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 })
  .map((all) => all.join(''));
const field = fc.constantFrom(
  'name',
  'email',
  'metadata',
  'description',
  'success_url',
  'id',
  'odd',
  'address',
);
const event = fc.letrec((tie) => ({
  value: fc.oneof(text, fc.array(tie('value'), { maxLength: 2 }), tie('record')),
  record: fc.dictionary(field, tie('value'), { maxKeys: 3 }),
}));

describe('the words that an event is found by', () => {
  it('lead to every event that names the person', () => {
    fc.assert(
      fc.property(event.record, text, text, (record, name, code) => {
        const identifying = identifyingTexts({ names: [name], emails: [], codes: [code] });
        const clean = eventWithoutPerson(record, identifying);
        if (JSON.stringify(clean) === JSON.stringify(record)) return;
        const words = new Set(wordsOfEvent(record));
        expect(identifying.some((one) => wordsOf(one).every((word) => words.has(word)))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('are those of people, not of enumerations', () => {
    const words = wordsOfEvent({
      object: 'charge',
      billing_details: { name: 'Jane Doe', address: { city: 'Ulm' } },
      metadata: { order: 'A-17' },
      status: 'succeeded',
    });
    expect(words).toEqual(['jane', 'doe', 'ulm', 'a', '17']);
  });

  it('are not kept of an event that holds a book', () => {
    const book = (length: number) => ({
      description: Array.from({ length }, (_, n) => `w${n}`).join(' '),
    });
    expect(maxEventWords).toBe(1_000);
    expect(wordsOfEvent(book(1_001))).toBeNull();
    expect(wordsOfEvent(book(1_000))).toHaveLength(1_000);
  });

  it('are none of what is no text', () => {
    expect(wordsOfEvent({ name: null, description: 5, metadata: [null, true] })).toEqual([]);
    expect(wordsOf('... !')).toEqual([]);
  });

  it('are read of an address as a person reads it, and of other text as it stands', () => {
    expect(wordsOf('https://x.example/?to=%41nna')).toEqual([
      'https',
      'x',
      'example',
      'to',
      'anna',
    ]);
    expect(wordsOf('%41nna')).toEqual(['41nna']);
  });
});
