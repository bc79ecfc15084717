import { messageOf, wordOf } from '../../../runtime/payout-providers/paypal/answers';

describe('what PayPal says of an error, as it is kept', () => {
  it.each([
    [
      'No account of anna@x.example, see <b@y.example>.',
      'No account of [address], see <[address]>.',
    ],
    ['@ and a@ and @b are none', '@ and a@ and @b are none'],
    [['an object'], null],
    ['', null],
  ])('of %j is %j', (said, kept) => {
    expect(messageOf(said)).toBe(kept);
  });

  it('is short, and ends with no half of a character, which no database takes', () => {
    const message = messageOf('x'.repeat(299) + '\u{1f600}');
    expect(message).toBe('x'.repeat(299));
    expect(wordOf('x'.repeat(99) + '\u{1f600}')).toBe('x'.repeat(99));
  });
});
