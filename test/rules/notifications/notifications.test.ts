import { reviewReasons } from '../../../entities/rules/commissions/review-reasons';
import { fraudRules } from '../../../entities/rules/fraud/fraud';
import { notificationCategories } from '../../../entities/rules/mail/mail';
import { effectivePreferences } from '../../../entities/rules/notifications/preferences';
import { money, notificationText } from '../../../entities/rules/notifications/text';
import {
  merchantNotifications,
  notificationSpec,
  partnerNotifications,
  type NotificationType,
} from '../../../entities/rules/notifications/types';

const all = [
  ...Object.keys(merchantNotifications).map((type) => ['merchant', type] as const),
  ...Object.keys(partnerNotifications).map((type) => ['partner', type] as const),
] as ['merchant' | 'partner', NotificationType][];

describe('the types of notifications', () => {
  it('are those that both sides can rely on', () => {
    expect(
      Object.keys(merchantNotifications).filter((type) => !type.startsWith('security')),
    ).toEqual([
      'conversion.created',
      'commission.needs_review',
      'commission.refunded',
      'participant.applied',
      'participant.joined',
      'conversion.fraud_detected',
      'webhook.dead_letter',
      'webhook.disabled',
      'stripe.events_failing',
      'biller.events_failing',
      'payout.completed',
      'payout.attention',
      'payout.not_received',
    ]);
    expect(
      Object.keys(partnerNotifications).filter((type) => !type.startsWith('security')),
    ).toEqual([
      'participant.approved',
      'participant.rejected',
      'participant.suspended',
      'participant.reinstated',
      'participant.moved',
      'program.terms_changed',
      'program.closing',
      'customer.lost',
      'commission.created',
      'commission.approved',
      'commission.rejected',
      'commission.refunded',
      'commission.paid',
      'payout.created',
      'payout.completed',
      'payout.cancelled',
      'payout.unclaimed',
    ]);
  });

  it.each(all)('gives the %s type %s a category of its side and words', (side, type) => {
    expect(notificationCategories[side]).toContain(notificationSpec(side, type).category);
    const { title, body } = notificationText(side, type, {});
    expect(title.length).toBeGreaterThan(5);
    expect(`${title} ${body}`).not.toMatch(/undefined|null|NaN/);
  });

  it('shows keys and members to admins only, and passwords to whom they belong', () => {
    expect(notificationSpec('merchant', 'security.member_joined').audience).toBe('admins');
    expect(notificationSpec('merchant', 'security.password_changed').audience).toBe('member');
    expect(notificationSpec('merchant', 'payout.completed').audience).toBe('everyone');
  });

  it('refuses a type of the other side', () => {
    expect(() => notificationSpec('partner', 'webhook.disabled')).toThrow('no notification');
    expect(() => notificationText('merchant', 'commission.paid', {})).toThrow('no notification');
  });
});

describe('what a notification says', () => {
  it('names amount, partner and programme', () => {
    const facts = {
      programName: 'Tea',
      partnerName: 'Ada',
      amount: { amountCents: 1250, currency: 'eur' },
    };
    expect(notificationText('merchant', 'conversion.created', facts)).toEqual({
      title: 'New conversion of EUR 12.50',
      body: 'Ada brought it to Tea.',
    });
    expect(notificationText('partner', 'commission.created', facts).title).toBe(
      'You earned EUR 12.50',
    );
  });

  it('tells a person why in words, never in codes', () => {
    const facts = { amount: { amountCents: 500, currency: 'eur' }, partnerName: 'Pat' };
    for (const review of reviewReasons) {
      const { body } = notificationText('merchant', 'commission.needs_review', {
        ...facts,
        review,
      });
      expect(body).toMatch(/^EUR 5\.00 for Pat in your programme\. [A-Z][a-z ]+\.$/);
    }
    for (const rule of fraudRules) {
      const told = { ...facts, rules: [rule] };
      const { body } = notificationText('merchant', 'conversion.fraud_detected', told);
      expect(body).toMatch(/ What was seen: [a-z' -]+\.$/);
    }
  });

  it('says why, where a reason was given', () => {
    const { body } = notificationText('partner', 'commission.rejected', { reason: 'returned' });
    expect(body).toBe('Reason: returned');
  });

  it.each([
    [1250, 'usd', 'USD 12.50'],
    [500, 'jpy', 'JPY 500'],
    [123456, 'kwd', 'KWD 123.456'],
    [-100, 'eur', '-EUR 1.00'],
  ])('writes %d %s as %s', (amountCents, currency, text) => {
    expect(money({ amountCents, currency })).toBe(text);
  });
});

describe('effective preferences', () => {
  it('has in-app on, and e-mail save for what comes with every sale', () => {
    const off = effectivePreferences('merchant', [])
      .filter(({ inApp, email }) => !(inApp && email))
      .map(({ category, inApp, email }) => [category, inApp, email]);
    expect(off).toEqual([
      ['conversions', true, false],
      ['commissions', true, false],
    ]);
    expect(effectivePreferences('partner', []).every(({ inApp, email }) => inApp && email)).toBe(
      true,
    );
  });

  it('follows a choice, but never for security', () => {
    const choices = [
      { category: 'payouts', inApp: null, email: false },
      { category: 'security', inApp: false, email: false },
    ];
    const chosen = effectivePreferences('partner', choices);
    expect(chosen).toContainEqual({
      category: 'payouts',
      inApp: true,
      email: false,
      protected: false,
    });
    expect(chosen).toContainEqual({
      category: 'security',
      inApp: true,
      email: true,
      protected: true,
    });
  });
});
