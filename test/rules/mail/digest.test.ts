import { isDigestible } from '../../../entities/rules/mail/digest';
import type { MailType } from '../../../entities/rules/mail/mail';

describe('which mails are collected', () => {
  it.each<[MailType, boolean]>([
    ['commission.approved', true],
    ['webhook.dead_letter', true],
    ['security.password_changed', false],
    ['account.erased', false],
    ['participant.erased', false],
    ['digest', false],
  ])('a type is gathered into a digest: %s is %s', (type, collected) => {
    expect(isDigestible(type)).toBe(collected);
  });
});
