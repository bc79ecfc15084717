import {
  emailDefault,
  mailDecision,
  mailTypes,
  noticeMailTypes,
  unsubscribeCategory,
  type MailFacts,
} from '../../../entities/rules/mail/mail';

const facts: MailFacts = {
  type: 'participant.approved',
  mode: 'live',
  emailPreference: true,
  addressSuppressed: false,
  testRedirect: null,
  testRedirectSuppressed: false,
};

describe('what becomes of a mail', () => {
  it.each<[string, Partial<MailFacts>, ReturnType<typeof mailDecision>]>([
    ['live mail is sent', {}, 'send'],
    ['switched off', { emailPreference: false }, 'drop'],
    ['switched off in test mode too', { emailPreference: false, mode: 'test' }, 'drop'],
    ['to an address that bounced', { addressSuppressed: true }, 'suppress'],
    ['test mode keeps it back', { mode: 'test' }, 'suppress'],
    ['test mode redirects it', { mode: 'test', testRedirect: 'dev@example.com' }, 'redirect'],
    [
      'test mode redirects what would not be sent',
      { mode: 'test', testRedirect: 'dev@example.com', addressSuppressed: true },
      'redirect',
    ],
    [
      'not to a redirect that bounced',
      { mode: 'test', testRedirect: 'dev@example.com', testRedirectSuppressed: true },
      'suppress',
    ],
    [
      'security cannot be switched off',
      { type: 'security.password_changed', emailPreference: false, mode: null },
      'send',
    ],
    [
      'verification ignores suppression',
      { type: 'account.verify_email', mode: null, addressSuppressed: true },
      'send',
    ],
    [
      'reset ignores suppression',
      { type: 'account.reset_password', mode: null, addressSuppressed: true },
      'send',
    ],
    [
      'an invite does not',
      { type: 'member.invited', mode: null, addressSuppressed: true },
      'suppress',
    ],
  ])('is sent, suppressed or left: %s', (_name, change, decision) => {
    expect(mailDecision({ ...facts, ...change })).toBe(decision);
  });

  it('offers to unsubscribe from what a preference governs, and from nothing else', () => {
    expect(unsubscribeCategory('participant.approved')).toBe('programs');
    expect(unsubscribeCategory('security.password_changed')).toBeUndefined();
    expect(unsubscribeCategory('account.verify_email')).toBeUndefined();
    expect(Object.keys(mailTypes)).toContain('partner.invited');
  });

  it('counts as one that comes with sales only what a sale or its commission causes', () => {
    expect(noticeMailTypes).toEqual([
      'conversion.created',
      'conversion.fraud_detected',
      'commission.needs_review',
      'commission.created',
      'commission.approved',
      'commission.rejected',
      'commission.refunded',
    ]);
  });

  it('is on by default, except for what comes with every sale', () => {
    expect(emailDefault('merchant', 'conversions')).toBe(false);
    expect(emailDefault('merchant', 'commissions')).toBe(false);
    expect(emailDefault('merchant', 'fraud')).toBe(true);
    expect(emailDefault('partner', 'commissions')).toBe(true);
  });
});
