import { columnNames, importKinds, placesOf } from '../../../entities/rules/imports/kinds';
import { toldPartnerStatuses, toldStatuses } from '../../../entities/rules/imports/statuses';
import { suggestionFor, type HeaderOf } from '../../../entities/rules/imports/suggest';
import { templates } from '../../../entities/rules/imports/templates';

const dub: HeaderOf[] = [
  { kind: 'partners', header: ['ID', 'Name', 'Email', 'Country', 'Status', 'Enrolled at'] },
  { kind: 'commissions', header: ['ID', 'Earnings', 'Currency', 'Status', 'Created at'] },
];
const partners = { partner_id: 'ID', created_at: 'Enrolled at' };
const commissions = { commission_id: 'ID', amount_cents: 'Earnings', occurred_at: 'Created at' };

describe('what the columns of files may mean', () => {
  it.each<[string, HeaderOf[], object | null]>([
    ['nothing without files', [], null],
    ['nothing where they are named as ours', [{ kind: 'links', header: ['token'] }], null],
    ['nothing where one alone fits', [{ kind: 'links', header: ['ref_token', 'x'] }], null],
    ['what the system that fits best calls them', dub, { partners, commissions }],
    [
      'another system by its own columns, in any case',
      [
        { kind: 'customers', header: ['AFFILIATE_ID', 'stripe_customer_id', 'became_lead_at'] },
        { kind: 'links', header: ['affiliate_id', 'token'] },
      ],
      {
        customers: {
          partner_id: 'affiliate_id',
          customer_id: 'stripe_customer_id',
          bound_at: 'became_lead_at',
        },
        links: { partner_id: 'affiliate_id' },
      },
    ],
    [
      'only what all parts of a kind have',
      [...dub, { kind: 'partners', header: ['ID', 'Email'] }],
      { partners: { partner_id: 'ID' }, commissions },
    ],
  ])('is suggested for %s', (_what, files, mapping) => {
    expect(suggestionFor(files, {})?.mapping ?? null).toEqual(mapping);
  });

  it('leaves out what somebody has named, and says nothing once all is', () => {
    const named = { partners: { partner_id: 'Name' } };
    expect(suggestionFor(dub, named)).toMatchObject({
      system: 'Dub',
      mapping: { partners: { created_at: 'Enrolled at' }, commissions },
      statuses: { processed: 'approved' },
    });
    expect(suggestionFor(dub, { partners, commissions })).toBeNull();
  });
});

it.each(templates)('$system: columns and words are ours', ({ columns, statuses }) => {
  for (const kind of importKinds) {
    for (const [ours, theirs] of Object.entries(columns[kind] ?? {})) {
      expect(columnNames(kind)).toContain(ours);
      expect(placesOf(kind, [theirs], { [kind]: { [ours]: theirs } }).get(ours)).toBe(0);
    }
  }
  const words: readonly string[] = [...toldStatuses, ...toldPartnerStatuses];
  for (const word of Object.values(statuses)) expect(words).toContain(word);
});
