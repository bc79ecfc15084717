import type { Mode } from '../../../entities/rules/values/mode';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { callerOf } from '../../support/callers';
import type { ApiResponse, Caller } from '../../support/api-client';
import { minimalProgram as minimal } from '../../support/shops/minimal-program';
import { useApp } from '../../support/app';

const app = useApp();
let owner: BuiltMember;

beforeAll(async () => {
  owner = await buildMember(app.deps.db.manager);
});

interface Details {
  code: string;
  details: { field: string; message: string }[];
}

function fieldsOf(response: ApiResponse): string[] {
  return (response.body as unknown as Details).details.map((detail) => detail.field);
}

describe.each<Mode>(['test', 'live'])('programmes in %s mode', (mode) => {
  let api: Caller;

  beforeAll(async () => {
    api = await callerOf(app, await buildMember(app.deps.db.manager), mode);
  });

  it('creates one with the defaults of the contract', async () => {
    const created = await api.post('/api/v1/programs', minimal);

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/programs/${created.body['id']}`);
    expect(created.body).toMatchObject({
      mode,
      name: 'Tea shop',
      websiteUrl: 'https://tea.example',
      description: null,
      currency: 'usd',
      status: 'active',
      attributionWindowDays: 30,
      approvalMode: 'manual',
      publicApplications: true,
      commission: {
        type: 'percentage',
        rateBps: 2_000,
        amountCents: null,
        basis: 'gross',
        recurring: false,
        recurringMonths: null,
      },
      holdDays: 30,
      autoApprove: true,
      acceptedCurrencies: [],
      salesFrom: 'both',
      bannedSources: [],
      reviewAboveCents: null,
      minPayoutCents: 0,
    });
  });

  it('keeps every field that is given, and reads it back', async () => {
    const full = {
      name: '  Coffee  ',
      websiteUrl: 'http://coffee.example:8080/shop',
      description: "'; DROP TABLE programs; -- <script>",
      currency: 'JPY',
      status: 'draft',
      attributionWindowDays: 365,
      approvalMode: 'auto',
      publicApplications: false,
      commission: { type: 'flat', amountCents: 1, recurring: true, recurringMonths: 120 },
      holdDays: 0,
      autoApprove: false,
      acceptedCurrencies: ['EUR', 'usd'],
      salesFrom: 'stripe',
      bannedSources: ['Coupons.example', 'bücher.example'],
      reviewAboveCents: 50_000,
      minPayoutCents: 1_000,
    };

    const created = await api.post('/api/v1/programs', full);
    const read = await api.get(`/api/v1/programs/${created.body['id']}`);

    expect(created.status).toBe(201);
    expect(read.body).toEqual(created.body);
    expect(read.body).toMatchObject({
      ...full,
      name: 'Coffee',
      currency: 'jpy',
      commission: { ...full.commission, rateBps: null, basis: null },
      acceptedCurrencies: ['eur', 'usd'],
      bannedSources: ['coupons.example', 'xn--bcher-kva.example'],
      salesFrom: 'stripe',
    });
  });
});

describe('what a programme refuses', () => {
  let api: Caller;

  beforeAll(async () => {
    api = await callerOf(app, owner);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'a rate above 100 %',
      { commission: { type: 'percentage', rateBps: 10_001 } },
      ['commission.rateBps'],
    ],
    [
      'a rate of nothing',
      { commission: { type: 'percentage', rateBps: 0 } },
      ['commission.rateBps'],
    ],
    ['a broken rate', { commission: { type: 'percentage', rateBps: 1.5 } }, ['commission.rateBps']],
    [
      'a rate as text',
      { commission: { type: 'percentage', rateBps: '5' } },
      ['commission.rateBps'],
    ],
    ['a percentage without a rate', { commission: { type: 'percentage' } }, ['commission.rateBps']],
    ['flat without an amount', { commission: { type: 'flat' } }, ['commission.amountCents']],
    [
      'flat for nothing',
      { commission: { type: 'flat', amountCents: 0 } },
      ['commission.amountCents'],
    ],
    [
      'a basis on flat',
      { commission: { type: 'flat', amountCents: 5, basis: 'net' } },
      ['commission.basis'],
    ],
    [
      'months without recurring',
      { commission: { type: 'percentage', rateBps: 5, recurringMonths: 12 } },
      ['commission.recurringMonths'],
    ],
    [
      'too many months',
      { commission: { type: 'percentage', rateBps: 5, recurring: true, recurringMonths: 121 } },
      ['commission.recurringMonths'],
    ],
    ['an unknown type', { commission: { type: 'share' } }, ['commission.type']],
    [
      'an unknown field of the terms',
      { commission: { type: 'flat', amountCents: 5, x: 1 } },
      ['commission.x'],
    ],
    ['terms that are no object', { commission: 'free' }, ['commission']],
    ['null terms', { commission: null }, ['commission']],
    ['no name', { name: '   ' }, ['name']],
    ['a long name', { name: 'x'.repeat(201) }, ['name']],
    ['a NUL', { name: 'a\0b' }, ['name']],
    ['a relative website', { websiteUrl: 'tea.example' }, ['websiteUrl']],
    ['a website with a password', { websiteUrl: 'https://a:b@tea.example' }, ['websiteUrl']],
    ['another scheme', { websiteUrl: 'ftp://tea.example' }, ['websiteUrl']],
    ['an unknown currency', { currency: 'zzz' }, ['currency']],
    ['a window of no day', { attributionWindowDays: 0 }, ['attributionWindowDays']],
    ['a window of 366 days', { attributionWindowDays: 366 }, ['attributionWindowDays']],
    ['a hold of 366 days', { holdDays: 366 }, ['holdDays']],
    ['archiving by a field', { status: 'archived' }, ['status']],
    ['another approval mode', { approvalMode: 'none' }, ['approvalMode']],
    ['null where null means nothing', { holdDays: null }, ['holdDays']],
    ['an unknown source of sales', { salesFrom: 'shop' }, ['salesFrom']],
    ['an address for a host', { bannedSources: ['https://a.example'] }, ['bannedSources']],
    ['a repeated host', { bannedSources: ['a.example', 'A.example'] }, ['bannedSources']],
    ['a repeated currency', { acceptedCurrencies: ['eur', 'EUR'] }, ['acceptedCurrencies']],
    ['a negative limit', { reviewAboveCents: -1 }, ['reviewAboveCents']],
    ['an unknown field', { color: 'red' }, ['color']],
    [
      'a field that every object inherits',
      { toString: 1, constructor: {} },
      ['constructor', 'toString'],
    ],
    [
      'a nested one',
      { commission: { type: 'flat', amountCents: 5, valueOf: 1 } },
      ['commission.valueOf'],
    ],
    ['a name of 201 characters', { name: '\u{1f600}'.repeat(201) }, ['name']],
    ['several things at once', { name: 5, holdDays: 'x' }, ['holdDays', 'name']],
  ])('is named with its field: %s', async (_name, fields, expected) => {
    const response = await api.post('/api/v1/programs', { ...minimal, ...fields });
    expect(response.status).toBe(400);
    expect(response.body['code']).toBe('VALIDATION_ERROR');
    expect(fieldsOf(response).sort()).toEqual(expected);
  });

  it('names each field that is missing', async () => {
    const response = await api.post('/api/v1/programs', {});
    expect(fieldsOf(response).sort()).toEqual(['commission', 'name', 'websiteUrl']);
  });
});
