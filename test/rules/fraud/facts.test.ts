import {
  fraudFactsOf,
  type Buyer,
  type CreditedPartner,
} from '../../../entities/rules/fraud/facts';
import type { FraudFacts } from '../../../entities/rules/fraud/fraud';

const clickedAt = new Date('2026-03-01T10:00:00.000Z');
const click = {
  clickedAt,
  ipHash: 'k1.a',
  userAgent: 'Mozilla/5.0 Gecko/ Firefox/140',
  url: 'https://shop.example/?ref=anna',
  referrer: 'https://www.coupons.example/tea',
};

const buyer: Buyer = {
  prospect: { email: 'Buyer@shop.example', isDisposable: false },
  customerId: 'c1',
  occurredAt: new Date('2026-03-01T10:00:30.500Z'),
};

const partner: CreditedPartner = {
  participant: { email: 'anna@partner.example' },
  click,
  program: { bannedSources: ['coupons.example'] },
  ipIsPartners: true,
  clicksFromIp: 3,
  customerIsAnothersToo: true,
  refunded: 1,
  conversions: 9,
};

const noClick = {
  secondsFromClick: null,
  clickIsBots: null,
  ipIsPartners: null,
  clickIsPaid: null,
  sourceIsBanned: null,
};

it.each<[string, Partial<Buyer>, Partial<CreditedPartner>, Partial<FraudFacts>]>([
  [
    'all of a sale by click',
    {},
    {},
    {
      emailIsPartners: false,
      emailIsDisposable: false,
      ipIsPartners: true,
      clicksFromIp: 3,
      secondsFromClick: 30.5,
      clickIsBots: false,
      clickIsPaid: false,
      sourceIsBanned: true,
      customerIsAnothersToo: true,
      refunded: 1,
      conversions: 9,
    },
  ],
  [
    "the partner's own address, however it is spelt",
    { prospect: { email: 'ANNA+shop@Partner.example', isDisposable: false } },
    {},
    { emailIsPartners: true },
  ],
  [
    'nothing of a click where a code decided',
    {},
    { click: null },
    { ...noClick, clicksFromIp: null, customerIsAnothersToo: true },
  ],
  [
    'nothing of an address that was not kept',
    {},
    { click: { ...click, ipHash: null } },
    { ipIsPartners: null, clicksFromIp: null, secondsFromClick: 30.5 },
  ],
  [
    'no negative time when clocks differ',
    { occurredAt: new Date('2026-03-01T09:59:59.000Z') },
    {},
    { secondsFromClick: 0 },
  ],
  [
    'an advertisement that led to the page',
    {},
    { click: { ...click, url: 'https://shop.example/?ref=anna&gclid=Cj0' } },
    { clickIsPaid: true },
  ],
  [
    'nothing of a page that was not told, nor of hosts where none is banned',
    {},
    { click: { ...click, url: null }, program: { bannedSources: [] } },
    { clickIsPaid: null, sourceIsBanned: null },
  ],
  ['a robot by its name', {}, { click: { ...click, userAgent: 'curl/8' } }, { clickIsBots: true }],
  [
    'nothing of a buyer whom the report does not name',
    { prospect: null, customerId: null },
    {},
    { emailIsPartners: null, emailIsDisposable: null, customerIsAnothersToo: null },
  ],
])('the facts are %s', (_name, ofBuyer, ofPartner, expected) => {
  expect(fraudFactsOf({ ...buyer, ...ofBuyer }, { ...partner, ...ofPartner })).toMatchObject(
    expected,
  );
});
