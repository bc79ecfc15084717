import { isLeft, namesWith, theirsOf, unitOf, type At } from '../../../web/app/moving/column-names';

const header = ['commission_id', 'Partner', 'amount', 'Cents', 'currency', 'status', 'occurred_at'];
const at = (names: At['names'] = {}): At => ({ kind: 'commissions', header, names });
const whole = { unit: 'whole' } as const;
const minor = { unit: 'minor' } as const;

it('finds what has our name, and what is renamed', () => {
  expect(theirsOf(at(), 'amount')).toBe('amount');
  expect(theirsOf(at(), 'partner_id')).toBe('');
  expect(theirsOf(at({ partner_id: 'Partner' }), 'partner_id')).toBe('Partner');
  expect(theirsOf(at({ amount: 'Gone' }), 'amount')).toBe('');
});

it('knows sums by their unit, and nothing else', () => {
  expect(unitOf(at(), 'amount')).toBe('whole');
  expect(unitOf(at({ amount: '–', amount_cents: 'Cents' }), 'amount')).toBe('minor');
  expect(unitOf(at(), 'status')).toBeUndefined();
});

it.each([
  // What the header says already is not written down.
  [{}, { column: 'amount', theirs: 'amount', ...whole }, {}],
  [{ amount: 'Cents' }, { column: 'amount', theirs: 'amount', ...whole }, {}],
  [{}, { column: 'partner_id', theirs: 'Partner', ...whole }, { partner_id: 'Partner' }],
  [{ partner_id: 'Partner' }, { column: 'partner_id', theirs: '', ...whole }, {}],
  // A column of ours by chance is sent away, or it would count beside the one that was chosen.
  [{}, { column: 'amount', theirs: '', ...whole }, { amount: '–' }],
  [{}, { column: 'amount', theirs: 'Cents', ...minor }, { amount: '–', amount_cents: 'Cents' }],
  [{}, { column: 'amount', theirs: 'amount', ...minor }, { amount: '–', amount_cents: 'amount' }],
  [
    { amount: '–', amount_cents: 'Cents' },
    { column: 'amount', theirs: 'Cents', ...whole },
    { amount: 'Cents' },
  ],
  [{ note: 'status' }, { column: 'status', theirs: '', ...whole }, { note: 'status', status: '–' }],
])('names %j with %j are %j', (before, chosen, after) => {
  const names = namesWith(at(before), chosen);
  expect(names).toEqual(after);
  expect(theirsOf(at(names), chosen.column)).toBe(chosen.theirs);
  if (chosen.column === 'amount' && chosen.theirs !== '') {
    expect(unitOf(at(names), 'amount')).toBe(chosen.unit);
  }
});

it('says whether something is left to choose', () => {
  const links = { kind: 'links', header: ['partner_id', 'token'] } as const;
  expect(isLeft({ ...links, names: {} })).toBe(false);
  expect(isLeft({ ...links, names: { token: 'Code' } })).toBe(true);
  expect(isLeft({ ...links, header: [...links.header, 'Clicks'], names: {} })).toBe(true);
});
