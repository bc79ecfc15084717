import { money } from '../../../entities/rules/notifications/text';
import { currencies, decimalsOf, isCurrency } from '../../../entities/rules/values/currency';

/** The currencies as the published list of ISO 4217 has them. */
const whole = 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf'.split(' ');
const thousandths = 'bhd iqd jod kwd lyd omr tnd'.split(' ');

function printed(code: string): string {
  if (whole.includes(code)) return '1,234,500';
  return thousandths.includes(code) ? '1,234.500' : '12,345.00';
}

describe('currencies', () => {
  it('print each sum with the decimals of ISO 4217', () => {
    const said = currencies.map((currency) => money({ amountCents: 1_234_500, currency }));

    expect(said).toEqual(currencies.map((code) => `${code.toUpperCase()} ${printed(code)}`));
    expect(currencies).toEqual(expect.arrayContaining([...whole, ...thousandths]));
  });

  // Daily use has no decimals of these: a format of its own choice tells 100 times the sum.
  it.each(['huf', 'idr', 'cop', 'pkr', 'lak', 'lbp', 'all', 'irr', 'mmk'])(
    'know the two decimals of %s',
    (code) => {
      expect([isCurrency(code), decimalsOf(code)]).toEqual([true, 2]);
      expect(money({ amountCents: 1_234_500, currency: code })).toBe(
        `${code.toUpperCase()} 12,345.00`,
      );
    },
  );

  it('are in alphabetical order, and known in any case', () => {
    expect(currencies).toEqual([...currencies].sort());
    expect(['JPY', 'Kwd', 'USD', 'xxx'].map(decimalsOf)).toEqual([0, 3, 2, 2]);
  });

  it('are a list of our own', () => {
    expect(currencies).toHaveLength(163);
    for (const code of ['', 'USD', 'xxx', 'zzz', 'dem', 'toString', 1]) {
      expect(isCurrency(code)).toBe(false);
    }
    for (const code of ['usd', 'ves', 'xcg', 'hrk']) expect(isCurrency(code)).toBe(true);
  });
});
