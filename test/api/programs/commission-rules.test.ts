import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import type { ApiResponse, Caller } from '../../support/api-client';
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

describe('commission rules', () => {
  const rule = {
    name: 'Big orders',
    match: { eventTypes: ['purchase'], currencies: ['EUR'], minAmountCents: 0 },
    type: 'percentage',
    rateBps: 2_500,
  };
  let api: Caller;
  let path: string;

  beforeAll(async () => {
    api = await callerOf(app, owner);
    const program = await buildProgram(app.deps.db.manager, { workspaceId: owner.workspaceId });
    path = `/api/v1/programs/${program.id}/commission-rules`;
  });

  it('begins empty, keeps the order, and what GET gives can be put back', async () => {
    const before = await api.get(path);
    const flat = {
      name: 'Rest',
      match: {},
      type: 'flat',
      amountCents: 500,
      holdDays: 0,
      autoApprove: false,
    };

    const stored = await api.put(path, { rules: [rule, flat] });
    const again = await api.put(path, (await api.get(path)).body);

    expect(before.body).toEqual({ rules: [] });
    expect(stored.status).toBe(200);
    expect(stored.body).toEqual({
      rules: [
        {
          ...rule,
          match: { ...rule.match, currencies: ['eur'] },
          amountCents: null,
          basis: 'gross',
          holdDays: null,
          autoApprove: null,
        },
        { ...flat, rateBps: null, basis: null },
      ],
    });
    expect(again.body).toEqual(stored.body);
  });

  it.each<[string, unknown, string[]]>([
    [
      'a basis on flat',
      [rule, { name: 'x', match: {}, type: 'flat', amountCents: 5, basis: 'net' }],
      ['rules[1].basis'],
    ],
    [
      'a negative least amount',
      [rule, { ...rule, match: { minAmountCents: -1 } }],
      ['rules[1].match.minAmountCents'],
    ],
    [
      'an id that is none',
      [{ ...rule, match: { participantIds: ['x'] } }],
      ['rules[0].match.participantIds'],
    ],
    ['an empty condition', [{ ...rule, match: { eventTypes: [] } }], ['rules[0].match.eventTypes']],
    ['an unknown condition', [{ ...rule, match: { country: 'de' } }], ['rules[0].match.country']],
    ['no match', [{ name: 'x', type: 'flat', amountCents: 5 }], ['rules[0].match']],
    ['a rate too high', [{ ...rule, rateBps: 10_001 }], ['rules[0].rateBps']],
    ["recurring, which is the programme's", [{ ...rule, recurring: true }], ['rules[0].recurring']],
    ['201 rules', Array.from({ length: 201 }, () => rule), ['rules']],
    ['no list', 'none', ['rules']],
    ['a list of texts', ['x'], ['rules']],
  ])('refuses %s, and keeps the old list', async (_name, rules, fields) => {
    await api.put(path, { rules: [rule] });
    const response = await api.put(path, { rules });
    expect(response.status).toBe(400);
    expect(fieldsOf(response)).toEqual(expect.arrayContaining(fields));
    const kept = await api.get<{ rules: unknown[] }>(path);
    expect(kept.body.rules).toHaveLength(1);
  });

  it('takes 200 rules', async () => {
    const stored = await api.put<{ rules: unknown[] }>(path, {
      rules: Array.from({ length: 200 }, () => rule),
    });
    expect(stored.body.rules).toHaveLength(200);
  });
});
