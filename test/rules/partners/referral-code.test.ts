import {
  isCodeShaped,
  promoCodeKey,
  referralTokenKey,
} from '../../../entities/rules/partners/referral-code';

describe('codes', () => {
  it.each(['abc', 'SUMMER-24', 'a_b', 'x'.repeat(40)])('accepts %s', (code) => {
    expect(isCodeShaped(code)).toBe(true);
  });

  it.each(['', 'ab', 'x'.repeat(41), 'a b', 'äbc', 'abc\n', 'a.b', 'a/b', 'ａｂｃ'])(
    'refuses %j',
    (code) => {
      expect(isCodeShaped(code)).toBe(false);
    },
  );

  it('compares promo codes in upper case and referral codes in lower case', () => {
    expect(promoCodeKey('Summer-24')).toBe('SUMMER-24');
    expect(referralTokenKey('Anna_B')).toBe('anna_b');
  });
});
