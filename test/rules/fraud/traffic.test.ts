import {
  isFromHost,
  isHost,
  isPaidTraffic,
  normalisedHost,
} from '../../../entities/rules/fraud/traffic';

const shop = (query: string) => `https://shop.example/tea?ref=anna${query}#top`;

describe('paid traffic', () => {
  it.each([
    'gclid=Cj0',
    'gbraid=0AA',
    'wbraid=Cl8',
    'msclkid=f1',
    'fbclid=IwAR',
    'ttclid=E.C',
    'GCLID=Cj0',
    'utm_medium=cpc',
    'utm_medium=PPC',
    'utm_medium=paid_social',
    'utm_medium=paidsearch',
    'utm_medium=%20cpc%20',
  ])('is told by %s', (query) => {
    expect(isPaidTraffic(shop(`&${query}`))).toBe(true);
  });

  it.each([
    '',
    '&gclid=',
    '&utm_medium=email',
    '&utm_medium=unpaid',
    '&note=gclid',
    '&utm_source=cpc',
  ])('is not told by "%s"', (query) => {
    expect(isPaidTraffic(shop(query))).toBe(false);
  });

  it.each(['', 'gclid=1', '/?gclid=1', 'about:blank'])('is not told by %j', (text) => {
    expect(isPaidTraffic(text)).toBe(false);
  });
});

describe('hosts', () => {
  const banned = ['coupons.example', 'xn--bcher-kva.example'];

  it.each([
    ['https://coupons.example/tea', true],
    ['https://WWW.Coupons.example./', true],
    ['android-app://coupons.example/', true],
    ['https://bücher.example', true],
    ['https://mycoupons.example/', false],
    ['https://coupons.example.net/', false],
    ['https://shop.example/?from=coupons.example', false],
    ['coupons.example', false],
    ['', false],
  ])('%s is %s', (address, isBanned) => {
    expect(isFromHost(banned, ['https://shop.example/', address])).toBe(isBanned);
  });

  it.each([
    [' Coupons.Example ', 'coupons.example'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['coupons.example.', 'coupons.example'],
  ])('%s is kept as %s', (text, host) => {
    expect(normalisedHost(text)).toBe(host);
    expect(isHost(host)).toBe(true);
  });

  it.each([
    'https://coupons.example',
    'coupons.example/tea',
    'coupons.example:8080',
    'a@coupons.example',
    'localhost',
    '*.coupons.example',
    'two words.example',
    '',
    'x'.repeat(254),
    7,
  ])('%j is none', (text) => {
    expect(isHost(typeof text === 'string' ? normalisedHost(text) : text)).toBe(false);
  });
});
