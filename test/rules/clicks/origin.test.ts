import { originOf } from '../../../entities/rules/clicks/origin';

it.each([
  ['https://www.shop.example/a?ref=x#y', 'https://www.shop.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['HTTPS://Shop.Example:443/', 'https://shop.example'],
  ['https://user:secret@shop.example/', 'https://shop.example'],
  ['https://shöp.example/', 'https://xn--shp-tna.example'],
  ['android-app://shop.example/', undefined],
  ['javascript:alert(1)', undefined],
  ['https://', undefined],
  ['https://a b/', undefined],
  [`https://${'a'.repeat(239)}.example/`, `https://${'a'.repeat(239)}.example`],
  [`https://${'a'.repeat(240)}.example/`, undefined],
  ['/cart', undefined],
  ['null', undefined],
  ['', undefined],
  [null, undefined],
])('the origin of %p is %p', (address, expected) => {
  expect(originOf(address)).toBe(expected);
});
