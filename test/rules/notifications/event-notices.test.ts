import {
  noticesOfEvent,
  type HappenedEvent,
} from '../../../entities/rules/notifications/event-notices';
import { wantsMail } from '../../../entities/rules/notifications/preferences';
import { notificationText } from '../../../entities/rules/notifications/text';
import { exampleObject } from '../../../entities/rules/webhooks/examples';

const names = {
  program: () => 'Acme',
  participant: () => ({ partnerId: 'p1', partnerName: 'Pat', erased: false, accountErased: false }),
};

type Kind = Extract<HappenedEvent['type'], `commission.${string}`>;

const noticesOf = (type: Kind, cause: string | null) =>
  noticesOfEvent({ type, cause, object: exampleObject(type) }, names).map((notice) => [
    notice.side,
    notice.type,
    notice.isMailed ?? true,
  ]);

describe('what one event of a commission tells', () => {
  it.each<[string, Kind, string | null, unknown[]]>([
    ['its creation', 'commission.created', null, [['partner', 'commission.created', true]]],
    [
      'its creation beside its approval, which is the one that is mailed',
      'commission.created',
      'approved_at_once',
      [['partner', 'commission.created', false]],
    ],
    [
      'its approval at once',
      'commission.approved',
      'approved_at_once',
      [['partner', 'commission.approved', true]],
    ],
    [
      'a refund that makes it wait for a person: one notice a side',
      'commission.refunded',
      'FRAUD_SUSPECTED',
      [
        ['merchant', 'commission.needs_review', true],
        ['partner', 'commission.refunded', true],
      ],
    ],
    [
      'a refund',
      'commission.refunded',
      null,
      [
        ['merchant', 'commission.refunded', true],
        ['partner', 'commission.refunded', true],
      ],
    ],
    [
      'a refund that has failed, of which the partner has a notice',
      'commission.updated',
      'refund_failed',
      [['partner', 'commission.refunded', true]],
    ],
    ['a flag', 'commission.updated', 'DISPUTED', [['merchant', 'commission.needs_review', true]]],
    ['anything else', 'commission.updated', null, []],
  ])('to whom: %s', (_, type, cause, expected) => {
    expect(noticesOf(type, cause)).toEqual(expected);
  });

  it('says that a refund has failed, and what is due again', () => {
    const event = {
      type: 'commission.updated',
      cause: 'refund_failed',
      object: exampleObject('commission.updated'),
    } as const;
    const [notice] = noticesOfEvent(event, names);
    const { title, body } = notificationText('partner', 'commission.refunded', notice?.facts ?? {});
    expect([title, body]).toEqual([
      'A refund of a sale of yours has failed',
      expect.stringMatching(/^Your commission in Acme is again [A-Z]{3} \d+\.\d\d\.$/),
    ]);
  });
});

describe('a mail of what needs a review', () => {
  it.each([
    [undefined, true],
    [null, true],
    [true, true],
    [false, false],
  ])('chosen for commissions: %s, sent: %s', (chosen, expected) => {
    expect(wantsMail('merchant', 'commission.needs_review', chosen)).toBe(expected);
    expect(wantsMail('merchant', 'commission.refunded', chosen)).toBe(chosen === true);
  });
});

describe('a payout for a participation that was erased', () => {
  it.each([
    ['is told while the account lives', false, ['partner', 'merchant']],
    ['is told to nobody once the account is erased, too', true, ['merchant']],
  ])('of one who was erased %s', (_case, accountErased, sides) => {
    const erased = {
      ...names,
      participant: () => ({ partnerId: 'p1', partnerName: 'Erased', erased: true, accountErased }),
    };
    const type = 'payout.completed' as const;
    const notices = noticesOfEvent({ type, cause: null, object: exampleObject(type) }, erased);
    expect(notices.map(({ side }) => side).sort()).toEqual([...sides].sort());
  });
});

describe('what was undone of a payout', () => {
  const noticesOf = (
    type: 'payout.cancelled' | 'payout.item_returned' | 'payout.completed',
    items?: object[],
    cause: string | null = null,
  ) => {
    const object = { ...exampleObject(type), ...(items && { items }) };
    return noticesOfEvent({ type, cause, object }, names);
  };
  const titleOf = (notices: ReturnType<typeof noticesOf>) =>
    notices.map(({ side, type, facts }) => [side, notificationText(side, type, facts).title]);

  it('is told to the partner, whether it was never paid or came back', () => {
    expect(titleOf(noticesOf('payout.cancelled'))).toEqual([
      ['partner', 'A payout of USD 10.00 was cancelled'],
    ]);
    expect(titleOf(noticesOf('payout.item_returned'))).toEqual([
      ['partner', 'A payout of USD 10.00 came back'],
    ]);
  });

  it('is no part of what a completed payout tells', () => {
    const [item] = exampleObject('payout.completed')['items'] as object[];
    const notices = noticesOf('payout.completed', [item ?? {}, { ...item, status: 'failed' }]);
    expect(titleOf(notices)).toEqual([
      ['merchant', 'A payout is completed'],
      ['partner', 'You were paid USD 10.00'],
    ]);
  });

  it('tells the partner of a payment that was reported late, and no merchant again', () => {
    expect(titleOf(noticesOf('payout.completed', undefined, 'paid_late'))).toEqual([
      ['partner', 'You were paid USD 10.00'],
    ]);
  });

  it('tells nobody that nothing was paid', () => {
    const [item] = exampleObject('payout.completed')['items'] as object[];
    expect(noticesOf('payout.completed', [{ ...item, status: 'returned' }])).toEqual([]);
  });

  it('promises no more than what is due, since a refund may have come meanwhile', () => {
    const [notice] = noticesOf('payout.cancelled');
    const { body } = notificationText('partner', 'payout.cancelled', notice?.facts ?? {});
    expect(body).toMatch(/^What Acme still owes you of it goes with a later payout\./);
  });
});
