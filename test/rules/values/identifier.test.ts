import {
  customerIdOf,
  namesNobody,
  withoutUnseenEnds,
} from '../../../entities/rules/values/identifier';

describe('an id or a code that somebody pasted', () => {
  it.each([
    ' ANNA10 ',
    '\tANNA10\r\n',
    '\u00a0ANNA10\u3000',
    '\u0085ANNA10\u2028',
    '\ufeffANNA10',
    '\u200b\u200c\u200d\u2060ANNA10\u200e\u200f\u00ad',
    '\u202aANNA10\u202c',
  ])('loses what nobody sees at both ends: %j', (text) => {
    expect(withoutUnseenEnds(text)).toBe('ANNA10');
  });

  it.each(['ANNA 10', 'AN\u200bNA', '-anna_', '\u{1f3f4}\u{e0067}\u{e007f}'])(
    'keeps what stands within it: %j',
    (text) => expect(withoutUnseenEnds(text)).toBe(text),
  );

  it('costs what its length costs', () => {
    const text = `a${' '.repeat(250_000)}b`;
    const began = process.cpuUsage().user;
    expect(withoutUnseenEnds(text)).toBe(text);
    expect(process.cpuUsage().user - began).toBeLessThan(1_000_000);
  });
});

describe('the id of a customer', () => {
  it.each([
    '',
    ' \u200b ',
    'null',
    'undefined',
    'None',
    'NaN',
    'N/A',
    'Guest',
    ' guest\ufeff',
    'ANONYMOUS',
    'unknown',
    '0',
    '-1',
    '[object Object]',
    '{{customer.id}}',
    '{{ customer\n.id }}',
    '${user.id}',
    '%CUSTOMER_ID%',
  ])('is none where a program had none: %j', (text) => {
    expect(namesNobody(text)).toBe(true);
    expect(customerIdOf(text)).toBeNull();
  });

  it.each(['1', '00', '10', 'guest_7', 'user null', '{42}', '5%', '100%-club', 'nancy', 'cus_0'])(
    'is whatever else a shop calls its customers: %j',
    (text) => expect(customerIdOf(` ${text}\u200b`)).toBe(text),
  );

  it('is none where nothing was told', () => {
    expect(customerIdOf(null)).toBeNull();
    expect(customerIdOf(undefined)).toBeNull();
  });
});
