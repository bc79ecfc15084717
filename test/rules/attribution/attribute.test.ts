import fc from 'fast-check';
import type {
  AttributionInput,
  AttributionReason,
  ClickCandidate,
  CodeCandidate,
  CustomerCandidate,
} from '../../../entities/rules/attribution/attribute';
import {
  attribute,
  candidateFailure,
  explain,
  momentOf,
} from '../../../entities/rules/attribution/attribute';
import { participantStatuses } from '../../../entities/rules/partners/participant-status';
import { programStatuses } from '../../../entities/rules/programs/terms';

const clickedAt = new Date('2026-03-01T10:00:00.000Z');
const windowEndsAt = new Date('2026-03-31T10:00:00.000Z');
const inside = new Date('2026-03-10T10:00:00.000Z');
const now = new Date('2026-03-10T10:00:05.000Z');

function click(changes: Partial<ClickCandidate> = {}): ClickCandidate {
  return {
    clickId: 'click',
    linkId: 'link',
    clickedAt,
    windowEndsAt,
    creditable: true,
    programId: 'program',
    programStatus: 'active',
    participantId: 'ann',
    participantStatus: 'approved',
    erased: false,
    soldElsewhere: null,
    ...changes,
  };
}

function code(changes: Partial<CodeCandidate> = {}): CodeCandidate {
  return {
    code: 'SAVE10',
    programId: 'program',
    programStatus: 'active',
    participantId: 'bob',
    participantStatus: 'approved',
    erased: false,
    soldElsewhere: null,
    ...changes,
  };
}

function customer(changes: Partial<CustomerCandidate> = {}): CustomerCandidate {
  return {
    source: 'signup',
    boundAt: clickedAt,
    firstPaidAt: null,
    programId: 'program',
    programStatus: 'active',
    participantId: 'cleo',
    participantStatus: 'approved',
    erased: false,
    soldElsewhere: null,
    ...changes,
  };
}

/** `undefined`: the signal was not sent; null: it was sent and resolves to nothing. */
function input(
  clickOrNot: ClickCandidate | null | undefined,
  codeOrNot: CodeCandidate | null | undefined,
  at = inside,
): AttributionInput {
  return {
    clickId: clickOrNot === undefined ? null : 'click',
    promoCode: codeOrNot === undefined ? null : 'save10',
    click: clickOrNot ?? null,
    code: codeOrNot ?? null,
    customer: null,
    occurred: { at, until: at },
  };
}

describe('a click alone (attribution.md, Signals)', () => {
  const at = (text: string) => new Date(text);
  const table: [string, ClickCandidate | null, Date, AttributionReason][] = [
    ['is credited inside its window', click(), inside, 'ATTRIBUTED'],
    ['is credited at the very moment of the click', click(), clickedAt, 'ATTRIBUTED'],
    ['is credited at the very end of the window', click(), windowEndsAt, 'ATTRIBUTED'],
    ['is too late a millisecond on', click(), at('2026-03-31T10:00:00.001Z'), 'CLICK_EXPIRED'],
    ['cannot follow', click(), at('2026-03-01T09:59:59.999Z'), 'CLICK_AFTER_CONVERSION'],
    ['must be known', null, inside, 'CLICK_NOT_FOUND'],
    ['of an erased partner', click({ erased: true }), inside, 'PARTNER_ERASED'],
    ['made too early never counts', click({ creditable: false }), inside, 'PARTNER_NOT_APPROVED'],
    [
      'tells the window before the partner',
      click({ erased: true, windowEndsAt: clickedAt }),
      inside,
      'CLICK_EXPIRED',
    ],
    [
      'tells erasure before approval',
      click({ erased: true, participantStatus: 'suspended', programStatus: 'paused' }),
      inside,
      'PARTNER_ERASED',
    ],
    [
      'tells the partner before the programme',
      click({ participantStatus: 'suspended', programStatus: 'paused' }),
      inside,
      'PARTNER_NOT_APPROVED',
    ],
  ];

  it.each(table)('decides by a click that %s', (_name, candidate, occurredAt, reason) => {
    expect(attribute(input(candidate, undefined, occurredAt)).reason).toBe(reason);
  });

  it.each(participantStatuses)('of a partner who is %s', (participantStatus) => {
    const { reason } = attribute(input(click({ participantStatus }), undefined));
    expect(reason).toBe(participantStatus === 'approved' ? 'ATTRIBUTED' : 'PARTNER_NOT_APPROVED');
  });

  it.each(programStatuses)('of a programme that is %s', (programStatus) => {
    const { reason } = attribute(input(click({ programStatus }), undefined));
    expect(reason).toBe(programStatus === 'active' ? 'ATTRIBUTED' : 'PROGRAM_NOT_ACTIVE');
  });
});

describe('a promo code alone', () => {
  const table: [string, CodeCandidate | null, AttributionReason][] = [
    ['is credited', code(), 'ATTRIBUTED'],
    ['must be known', null, 'PROMO_CODE_NOT_FOUND'],
    ['of an erased partner', code({ erased: true }), 'PARTNER_ERASED'],
    [
      'of a programme that sells elsewhere',
      code({ soldElsewhere: 'SALES_FROM_STRIPE' }),
      'SALES_FROM_STRIPE',
    ],
    [
      'of one at rest that sells elsewhere',
      code({ soldElsewhere: 'SALES_FROM_STRIPE', programStatus: 'paused' }),
      'PROGRAM_NOT_ACTIVE',
    ],
    ['of a rejected partner', code({ participantStatus: 'rejected' }), 'PARTNER_NOT_APPROVED'],
    ['of a paused programme', code({ programStatus: 'paused' }), 'PROGRAM_NOT_ACTIVE'],
  ];

  it.each(table)('is judged where it is %s', (_name, candidate, reason) => {
    expect(attribute(input(undefined, candidate)).reason).toBe(reason);
  });

  it('has no window: a conversion of any age is credited', () => {
    const longAgo = new Date('1999-01-01T00:00:00.000Z');
    expect(attribute(input(undefined, code(), longAgo)).reason).toBe('ATTRIBUTED');
  });
});

describe('both signals (attribution.md, Ties)', () => {
  const expired = click({ windowEndsAt: clickedAt });
  const paused = code({ programStatus: 'paused' });
  const table: [string, ClickCandidate | null, CodeCandidate | null, AttributionReason, string][] =
    [
      ['of different partners: the code wins', click(), code(), 'ATTRIBUTED', 'promo_code'],
      ['of one partner: the click', click(), code({ participantId: 'ann' }), 'ATTRIBUTED', 'click'],
      ['the click gives way to the code', expired, code(), 'ATTRIBUTED', 'promo_code'],
      ['an unknown click gives way', null, code(), 'ATTRIBUTED', 'promo_code'],
      ['the code gives way to the click', click(), paused, 'ATTRIBUTED', 'click'],
      ['an unknown code gives way', click(), null, 'ATTRIBUTED', 'click'],
      ['both fail: the click names the reason', expired, paused, 'CLICK_EXPIRED', 'click'],
      ['both fail, code unknown: the click', expired, null, 'CLICK_EXPIRED', 'click'],
      ['click unknown, code found: the code', null, paused, 'PROGRAM_NOT_ACTIVE', 'promo_code'],
      ['both unknown: the click', null, null, 'CLICK_NOT_FOUND', 'click'],
    ];

  it.each(table)('one of them decides: %s', (_name, aClick, aCode, reason, kind) => {
    const attribution = attribute(input(aClick, aCode));
    expect([attribution.reason, attribution.decisive.kind]).toEqual([reason, kind]);
  });

  it('are both recorded, whoever wins', () => {
    const { judgements } = attribute(input(click(), code()));
    expect(judgements.map((judgement) => judgement.candidate?.participantId)).toEqual([
      'ann',
      'bob',
    ]);
  });
});

it('refuses to judge a report without a signal', () => {
  expect(() => attribute(input(undefined, undefined))).toThrow('attribution needs a click');
});

describe('the moment of a conversion (attribution.md, Time)', () => {
  const wholeSecond = new Date('2026-03-01T10:00:00.000Z');
  const laterInThatSecond = click({ clickedAt: new Date('2026-03-01T10:00:00.999Z') });
  const reasonFor = (aClick: ClickCandidate, occurred: ReturnType<typeof momentOf>) =>
    attribute({ ...input(aClick, undefined), occurred }).reason;

  it('of Stripe is a whole second: a click within it counts as before', () => {
    const occurred = momentOf(wholeSecond, 'stripe', now);
    expect(reasonFor(laterInThatSecond, occurred)).toBe('ATTRIBUTED');
    const nextSecond = click({ clickedAt: new Date('2026-03-01T10:00:01.000Z') });
    expect(reasonFor(nextSecond, occurred)).toBe('CLICK_AFTER_CONVERSION');
  });

  it('of the API is exact', () => {
    const occurred = momentOf(wholeSecond, 'api', now);
    expect(reasonFor(laterInThatSecond, occurred)).toBe('CLICK_AFTER_CONVERSION');
  });

  it('is the arrival when none is given, whatever the clock of the click says', () => {
    const occurred = momentOf(null, 'api', now);
    expect(occurred.at).toEqual(now);
    const aheadOfUs = click({ clickedAt: new Date(now.getTime() + 1_500) });
    expect(reasonFor(aheadOfUs, occurred)).toBe('ATTRIBUTED');
    const [most, more] = [300_000, 300_001].map((ms) => click({ clickedAt: new Date(+now + ms) }));
    expect(most && reasonFor(most, occurred)).toBe('ATTRIBUTED');
    expect(more && reasonFor(more, occurred)).toBe('CLICK_AFTER_CONVERSION');
  });
});

describe('for any signals', () => {
  const candidate = {
    programStatus: fc.constantFrom(...programStatuses),
    participantStatus: fc.constantFrom(...participantStatuses),
    erased: fc.boolean(),
    soldElsewhere: fc.constantFrom(null, 'SALES_FROM_STRIPE', 'SALES_FROM_BILLER'),
    participantId: fc.constantFrom('ann', 'bob'),
  };
  const someClick = fc
    .record({ ...candidate, creditable: fc.boolean(), days: fc.integer({ min: 0, max: 40 }) })
    .map(({ days, ...changes }) =>
      click({ ...changes, windowEndsAt: new Date(clickedAt.getTime() + days * 86_400_000) }),
    );
  const someCode = fc.record(candidate).map(code);
  const anyInput = fc
    .tuple(
      fc.option(fc.option(someClick), { nil: undefined }),
      fc.option(fc.option(someCode), { nil: undefined }),
      fc.integer({ min: -5, max: 45 }),
    )
    .filter(([aClick, aCode]) => aClick !== undefined || aCode !== undefined)
    .map(([aClick, aCode, days]) =>
      input(aClick, aCode, new Date(clickedAt.getTime() + days * 86_400_000)),
    );

  it('credits exactly when one signal alone would be credited', () => {
    fc.assert(
      fc.property(anyInput, (any) => {
        const alone = [
          any.clickId === null ? null : attribute({ ...any, promoCode: null, code: null }).reason,
          any.promoCode === null ? null : attribute({ ...any, clickId: null, click: null }).reason,
        ];
        const isCredited = attribute(any).reason === 'ATTRIBUTED';
        expect(isCredited).toBe(alone.includes('ATTRIBUTED'));
      }),
    );
  });

  it('never credits a partner who is erased, not approved or in a programme at rest', () => {
    fc.assert(
      fc.property(anyInput, (any) => {
        const { reason, decisive } = attribute(any);
        if (reason !== 'ATTRIBUTED') return;
        expect(decisive.candidate).toMatchObject({
          erased: false,
          soldElsewhere: null,
          participantStatus: 'approved',
          programStatus: 'active',
        });
      }),
    );
  });

  it('names a reason that belongs to a signal that was sent, and explains it', () => {
    fc.assert(
      fc.property(anyInput, (any) => {
        const attribution = attribute(any);
        const sent = { click: any.clickId, promo_code: any.promoCode, customer: null };
        expect(sent[attribution.decisive.kind]).not.toBeNull();
        expect(explain(attribution.reason, attribution)).toMatch(/^[A-Z].*\.$/);
      }),
    );
  });
});

describe('a customer whom a partner brought (customers.md, The third signal)', () => {
  const of = (
    clickOrNot: ClickCandidate | null | undefined,
    codeOrNot: CodeCandidate | null | undefined,
    bound: CustomerCandidate,
  ): AttributionInput => ({ ...input(clickOrNot, codeOrNot), customer: bound });
  const expired = click({ windowEndsAt: clickedAt });
  const table: [string, AttributionInput, AttributionReason, string][] = [
    ['is enough', of(undefined, undefined, customer()), 'ATTRIBUTED', 'customer'],
    ['gives way to a click that holds', of(click(), undefined, customer()), 'ATTRIBUTED', 'click'],
    ['gives way to a code', of(expired, code(), customer()), 'ATTRIBUTED', 'promo_code'],
    ['stands in for a click', of(expired, undefined, customer()), 'ATTRIBUTED', 'customer'],
    ['stands in for both', of(expired, null, customer()), 'ATTRIBUTED', 'customer'],
    [
      'of an erased partner fails',
      of(undefined, undefined, customer({ erased: true })),
      'PARTNER_ERASED',
      'customer',
    ],
    [
      'of a suspended partner fails',
      of(undefined, undefined, customer({ participantStatus: 'suspended' })),
      'PARTNER_NOT_APPROVED',
      'customer',
    ],
    [
      'of a programme that is paused fails',
      of(undefined, undefined, customer({ programStatus: 'paused' })),
      'PROGRAM_NOT_ACTIVE',
      'customer',
    ],
    [
      'leaves the failure of a known click as the reason',
      of(expired, undefined, customer({ erased: true })),
      'CLICK_EXPIRED',
      'click',
    ],
    [
      'gives the reason when the click leads nowhere',
      of(null, undefined, customer({ erased: true })),
      'PARTNER_ERASED',
      'customer',
    ],
  ];
  it.each(table)('decides by the third signal: %s', (_name, given, reason, kind) => {
    const attribution = attribute(given);
    expect([attribution.reason, attribution.decisive.kind]).toEqual([reason, kind]);
  });

  it('says in words what decided, and what did not count', () => {
    const said = (given: AttributionInput) => explain('ATTRIBUTED', attribute(given));
    expect(said(of(undefined, undefined, customer()))).toBe(
      'Credited to the partner who brought the customer.',
    );
    expect(said(of(expired, null, customer()))).toBe(
      'Credited to the partner who brought the customer; the click did not count: CLICK_EXPIRED, ' +
        'the promo code did not count: PROMO_CODE_NOT_FOUND.',
    );
    expect(said(of(click(), undefined, customer()))).toBe('Credited to the partner of the click.');
    expect(said(input(click(), code({ participantId: 'ann' })))).toBe(
      'Credited to the partner whom both the click and the promo code name.',
    );
    expect(said(input(click(), code()))).toBe(
      'Credited to the partner of the promo code, which wins over the click of another partner.',
    );
    expect(said(input(click(), null))).toBe(
      'Credited to the partner of the click; the promo code did not count: PROMO_CODE_NOT_FOUND.',
    );
    expect(explain('ATTRIBUTED', null)).toBe(
      'A renewal, credited to the partner of the first payment.',
    );
    expect(explain('CLICK_NOT_FOUND', null)).toBe('No click with this click_id was recorded.');
  });

  it('earns a renewal while the partner could be credited by a code', () => {
    expect(candidateFailure(customer())).toBeNull();
    expect(candidateFailure(customer({ erased: true }))).toBe('PARTNER_ERASED');
    expect(candidateFailure(customer({ participantStatus: 'suspended' }))).toBe(
      'PARTNER_NOT_APPROVED',
    );
  });
});
