import {
  noticesOfEvent,
  type EventNotice,
  type HappenedEvent,
  type KnownParticipant,
} from '../../../entities/rules/notifications/event-notices';
import { wantsMail, effectivePreferences } from '../../../entities/rules/notifications/preferences';
import { recordPath } from '../../../entities/rules/notifications/record-path';
import { exampleObject } from '../../../entities/rules/webhooks/examples';

const pat: KnownParticipant = {
  partnerId: 'account of Pat',
  partnerName: 'Pat',
  erased: false,
  accountErased: false,
};

type Told = Omit<HappenedEvent, 'cause' | 'object'> & { cause?: string; object?: object };

function noticesOf(
  { type, cause, object }: Told,
  participant: KnownParticipant | undefined = pat,
): EventNotice[] {
  const names = {
    program: (id: string | null) => (id === null ? null : 'Tea'),
    participant: (id: string | null) => (id === null ? undefined : participant),
  };
  const whole = { ...exampleObject(type), ...object };
  return noticesOfEvent({ type, cause: cause ?? null, object: whole }, names);
}

const sale = exampleObject('conversion.created');
const commission = exampleObject('commission.created');
const { program_id: programId, participant_id: participantId } = commission;

describe('a conversion', () => {
  const toldOf = {
    side: 'merchant',
    type: 'conversion.created',
    partnerId: null,
    participantId,
    data: { conversionId: sale.id, programId, participantId },
    facts: {
      programName: 'Tea',
      partnerName: 'Pat',
      amount: { amountCents: 10_000, currency: 'usd' },
      transactionId: 'order_1001',
    },
  };

  it('is told to the merchant', () => {
    expect(noticesOf({ type: 'conversion.created' })).toEqual([toldOf]);
  });

  it('is told without what it does not have', () => {
    const attribution = { ...sale.attribution, program_id: null, participant_id: null };
    expect(
      noticesOf({ type: 'conversion.created', object: { attribution, currency: null } }),
    ).toEqual([
      {
        ...toldOf,
        participantId: null,
        data: { conversionId: sale.id },
        facts: { ...toldOf.facts, programName: null, partnerName: null, amount: null },
      },
    ]);
  });

  it('is told with the rules that hit where it looks like fraud', () => {
    const type = 'conversion.fraud_detected';
    const facts = { ...toldOf.facts, rules: ['click_velocity'] };
    expect(noticesOf({ type })).toEqual([{ ...toldOf, type, facts }]);
    const none = { ...facts, rules: [] };
    expect(noticesOf({ type, object: { fraud_flags: undefined } })).toEqual([
      { ...toldOf, type, facts: none },
    ]);
  });
});

describe('a commission', () => {
  const facts = {
    programName: 'Tea',
    partnerName: 'Pat',
    amount: { amountCents: 1_000, currency: 'usd' },
    transactionId: 'order_1001',
  };
  const toldOf = {
    side: 'partner',
    type: 'commission.created',
    partnerId: 'account of Pat',
    participantId,
    data: { commissionId: commission.id, conversionId: sale.id, programId, participantId },
    facts,
  };

  it('is told to the partner', () => {
    expect(noticesOf({ type: 'commission.created' })).toEqual([toldOf]);
  });

  it('is told once by mail when it is approved at once', () => {
    const cause = 'approved_at_once';
    const atOnce = { ...facts, atOnce: true };
    expect(noticesOf({ type: 'commission.created', cause })).toEqual([
      { ...toldOf, facts: atOnce, isMailed: false },
    ]);
    expect(noticesOf({ type: 'commission.approved', cause })).toEqual([
      { ...toldOf, type: 'commission.approved', facts: atOnce },
    ]);
  });

  it('is told to the merchant with its reason when somebody has to look', () => {
    expect(noticesOf({ type: 'commission.updated', cause: 'DISPUTED' })).toEqual([
      {
        ...toldOf,
        side: 'merchant',
        type: 'commission.needs_review',
        partnerId: null,
        facts: { ...facts, review: 'DISPUTED' },
      },
    ]);
  });

  it('is told by its approval alone where a member adjusted the balance', () => {
    const object = { conversion_id: null };
    expect(noticesOf({ type: 'commission.created', object })).toEqual([]);
    const { conversionId: _, ...data } = toldOf.data;
    expect(noticesOf({ type: 'commission.approved', object })).toEqual([
      { ...toldOf, type: 'commission.approved', data, facts: { ...facts, adjusted: true } },
    ]);
    expect(noticesOf({ type: 'commission.updated', object })).toEqual([]);
  });

  it('is told to no one who was erased, or is not known', () => {
    const refund = { type: 'commission.refunded' } as const;
    expect(noticesOf(refund).map(({ side }) => side)).toEqual(['merchant', 'partner']);
    const erased = noticesOf(refund, { ...pat, erased: true });
    expect(erased.map(({ side }) => side)).toEqual(['merchant']);
    const names = { program: () => 'Tea', participant: () => undefined };
    const object = exampleObject('commission.refunded');
    expect(noticesOfEvent({ ...refund, cause: null, object }, names)).toEqual([
      expect.objectContaining({
        side: 'merchant',
        facts: expect.objectContaining({ partnerName: null }) as object,
      }),
    ]);
  });
});

describe('a participant', () => {
  const { id } = exampleObject('participant.approved');
  const toldOf = (side: string, type: string, reason?: string | null) => ({
    side,
    type,
    partnerId: side === 'partner' ? 'account of Pat' : null,
    participantId: id,
    data: { participantId: id, programId },
    facts: {
      ...{ programName: 'Tea', partnerName: 'Pat' },
      ...(side === 'partner' && { reason: reason ?? null }),
    },
  });

  it.each<[Told, object[]]>([
    [{ type: 'participant.applied', cause: 'apply' }, [toldOf('merchant', 'participant.applied')]],
    [
      { type: 'participant.approved', cause: 'approve' },
      [toldOf('partner', 'participant.approved')],
    ],
    [
      { type: 'participant.approved', cause: 'accept' },
      [toldOf('merchant', 'participant.joined'), toldOf('partner', 'participant.approved')],
    ],
    [{ type: 'participant.approved', cause: 'add' }, []],
    [
      { type: 'participant.approved', cause: 'reinstate' },
      [toldOf('partner', 'participant.reinstated')],
    ],
    [
      { type: 'participant.rejected', cause: 'reject' },
      [toldOf('partner', 'participant.rejected', 'Not a fit for our programme.')],
    ],
    [
      { type: 'participant.suspended', cause: 'accept' },
      [toldOf('partner', 'participant.suspended', 'Bids on our brand name.')],
    ],
    [{ type: 'participant.erased', cause: 'erase' }, []],
  ])('is told to whom it concerns: %j', (event, notices) => {
    expect(noticesOf(event)).toEqual(notices);
  });

  it('who was erased, or is not known, is told nothing', () => {
    const accepted = { type: 'participant.approved', cause: 'accept' } as const;
    const sides = (notices: EventNotice[]) => notices.map(({ side }) => side);
    expect(sides(noticesOf(accepted, { ...pat, erased: true }))).toEqual(['merchant']);
    const names = { program: () => 'Tea', participant: () => undefined };
    const [notice, ...others] = noticesOfEvent(
      { ...accepted, object: exampleObject('participant.approved') },
      names,
    );
    expect([notice?.facts.partnerName, others]).toEqual([null, []]);
  });
});

it('a payout tells each partner their own sums, and the merchant all, by currency', () => {
  const [item] = exampleObject('payout.completed').items;
  const items = [
    { ...item, participant_id: 'a', amount_cents: 100 },
    { ...item, participant_id: 'a', amount_cents: 20 },
    { ...item, participant_id: 'b', amount_cents: 3, currency: 'eur' },
  ];
  const [toMerchant, toA, toB] = noticesOf({ type: 'payout.completed', object: { items } });
  const usd = { amountCents: 120, currency: 'usd' };
  const eur = { amountCents: 3, currency: 'eur' };
  expect(toMerchant?.facts).toEqual({ programName: 'Tea', amounts: [usd, eur], partners: 2 });
  expect([toA?.facts.amounts, toB?.facts.amounts]).toEqual([[usd], [eur]]);
});

it('an event that concerns nobody tells nothing', () => {
  expect(noticesOf({ type: 'webhook.test' })).toEqual([]);
});

describe('preferences', () => {
  it('are what was chosen, in the feed as by mail', () => {
    const chosen = [{ category: 'payouts', inApp: false, email: null }];
    expect(effectivePreferences('partner', chosen)).toContainEqual({
      ...{ category: 'payouts', inApp: false, email: true, protected: false },
    });
  });

  it.each([
    ['security.password_changed', false, true],
    ['payout.completed', false, false],
    ['payout.completed', undefined, true],
    ['conversion.created', undefined, false],
    ['account.verify_email', false, true],
  ] as const)('a mail of %s, chosen: %s, is sent: %s', (type, chosen, isSent) => {
    expect(wantsMail('merchant', type as never, chosen)).toBe(isSent);
  });
});

it.each([
  ['merchant', 'webhook.disabled', '/app/developers?mode=live'],
  ['merchant', 'participant.applied', '/app/partners?mode=live'],
  ['partner', 'nothing.known', '/portal/?mode=live'],
] as const)('the notification of a %s, %s, without ids leads to %s', (side, type, path) => {
  expect(recordPath({ side, type, mode: 'live' }, { endpointId: null })).toBe(path);
});
