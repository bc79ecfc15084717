import { dailyInvites, hourlyBound } from '../../../entities/rules/mail/limits';
import type { MailType } from '../../../entities/rules/mail/mail';

describe('how many mails of a type an address takes an hour', () => {
  it.each<[MailType, boolean, number | undefined]>([
    ['account.verify_email', false, 10],
    ['account.reset_password', true, 10],
    ['member.invited', true, 10],
    ['partner.invited', true, 10],
    ['security.api_key_created', true, undefined],
    ['security.api_key_created', false, 30],
    ['security.email_changed', false, 30],
    ['participant.suspended', true, undefined],
    // These are collected instead.
    ['participant.suspended', false, undefined],
  ])("a day's limit of %s, verified %s, is %s", (type, verified, bound) => {
    expect(hourlyBound({ type, verified }, 10)).toBe(bound);
  });

  it('is any number when the limit is off', () => {
    expect(hourlyBound({ type: 'partner.invited', verified: false }, 0)).toBeUndefined();
  });
});

describe('invites of a workspace a day', () => {
  const created = new Date('2026-01-01T00:00:00.000Z');
  const after = (days: number) => new Date(created.getTime() + days * 86_400_000);

  it.each([
    [0, 200],
    [0.99, 200],
    [1, 400],
    [30, 6_200],
    [365, 6_200],
    // Clocks differ.
    [-1, 200],
  ])('after %s days: %s', (days, invites) => {
    expect(dailyInvites(200, created, after(days))).toBe(invites);
  });

  it('are any number when the limit is off', () => {
    expect(dailyInvites(0, created, after(0))).toBeUndefined();
  });
});
