import fc from 'fast-check';
import type { FraudFacts, FraudRule, FraudSettings } from '../../../entities/rules/fraud/fraud';
import {
  canonicalEmail,
  defaultFraudSettings,
  emailDomains,
  fraudActions,
  fraudRules,
  fraudSettingsOf,
  isBrowser,
  judgeFraud,
  standardFraudRules,
  strictestAction,
} from '../../../entities/rules/fraud/fraud';

const innocent: FraudFacts = {
  emailIsPartners: false,
  ipIsPartners: false,
  emailIsDisposable: false,
  clicksFromIp: 0,
  secondsFromClick: 3_600,
  customerIsAnothersToo: false,
  clickIsBots: false,
  clickIsPaid: false,
  sourceIsBanned: false,
  refunded: 0,
  conversions: 0,
};
const unknown: FraudFacts = {
  ...innocent,
  emailIsPartners: null,
  ipIsPartners: null,
  emailIsDisposable: null,
  clicksFromIp: null,
  secondsFromClick: null,
  customerIsAnothersToo: null,
  clickIsBots: null,
  clickIsPaid: null,
  sourceIsBanned: null,
};

function hits(facts: Partial<FraudFacts>): FraudRule[] {
  return judgeFraud(fraudSettingsOf(null), { ...innocent, ...facts })
    .filter((finding) => finding.hit)
    .map((finding) => finding.rule);
}

describe('each rule with its default', () => {
  const table: [string, Partial<FraudFacts>, FraudRule[]][] = [
    ['nothing is wrong', {}, []],
    ["the buyer's address is the partner's", { emailIsPartners: true }, ['self_referral_email']],
    ['the partner signed in from there', { ipIsPartners: true }, ['same_ip_as_partner']],
    ['a throw-away address', { emailIsDisposable: true }, ['disposable_email']],
    ['thirty clicks in the hour before', { clicksFromIp: 30 }, []],
    ['one click more', { clicksFromIp: 31 }, ['click_velocity']],
    ['ten seconds after the click', { secondsFromClick: 10 }, []],
    ['sooner than that', { secondsFromClick: 9.999 }, ['too_fast_conversion']],
    ['at once', { secondsFromClick: 0 }, ['too_fast_conversion']],
    ["another partner's customer", { customerIsAnothersToo: true }, ['duplicate_customer']],
    ['a click without a browser', { clickIsBots: true }, ['bot_click']],
    ['one of five refunded', { refunded: 1, conversions: 5 }, ['refund_rate']],
    ['one of six refunded', { refunded: 1, conversions: 6 }, []],
    ['all of four refunded', { refunded: 4, conversions: 4 }, []],
  ];

  it.each(table)('hits just beyond its threshold: %s', (_name, facts, expected) => {
    expect(hits(facts)).toEqual(expected);
  });

  it('nothing hits where nothing is known', () => {
    const findings = judgeFraud(fraudSettingsOf(null), unknown);
    expect(findings.filter((finding) => finding.hit)).toEqual([]);
  });

  it('tells value, threshold and action of every rule, in one order', () => {
    const findings = judgeFraud(fraudSettingsOf(null), { ...innocent, clicksFromIp: 31 });
    expect(findings.map((finding) => finding.rule)).toEqual([...standardFraudRules]);
    expect(findings[3]).toEqual({
      rule: 'click_velocity',
      action: 'flag',
      hit: true,
      value: 31,
      threshold: 30,
    });
  });
});

describe('settings', () => {
  const guilty: FraudFacts = {
    ...innocent,
    emailIsPartners: true,
    clicksFromIp: 99,
    clickIsBots: true,
  };
  const allOff = Object.fromEntries(
    fraudRules.map((rule) => [rule, { action: 'off', threshold: 0 }]),
  ) as FraudSettings;

  it('a rule that is off is not evaluated', () => {
    const findings = judgeFraud(allOff, guilty);
    expect(findings.every((finding) => !finding.hit && finding.value === null)).toBe(true);
    expect(strictestAction(findings)).toBe('off');
  });

  it('what is stored is laid over the defaults', () => {
    const settings = fraudSettingsOf({ bot_click: { action: 'reject', threshold: null } });
    expect(settings).toEqual({
      ...defaultFraudSettings,
      bot_click: { action: 'reject', threshold: null },
    });
  });

  it('the further rules are judged once they are set', () => {
    const paid = { ...innocent, clickIsPaid: true, sourceIsBanned: true };
    const hitsOf = (settings: FraudSettings) =>
      judgeFraud(settings, paid).flatMap(({ rule, hit }) => (hit ? [rule] : []));
    expect(hitsOf(fraudSettingsOf(null))).toEqual([]);
    const set = { action: 'flag', threshold: null } as const;
    expect(hitsOf(fraudSettingsOf({ banned_source: set, paid_traffic: set }))).toEqual([
      'paid_traffic',
      'banned_source',
    ]);
  });

  it('the strictest action wins', () => {
    expect(strictestAction(judgeFraud(fraudSettingsOf(null), guilty))).toBe('hold');
    const stricter = fraudSettingsOf({ bot_click: { action: 'reject', threshold: null } });
    expect(strictestAction(judgeFraud(stricter, guilty))).toBe('reject');
  });

  it('adding a hit never makes the outcome milder', () => {
    const finding = fc.record({
      rule: fc.constantFrom(...fraudRules),
      action: fc.constantFrom(...fraudActions),
      hit: fc.boolean(),
      value: fc.constant(null),
      threshold: fc.constant(null),
    });
    fc.assert(
      fc.property(fc.array(finding), finding, (some, more) => {
        const rank = (list: typeof some) => fraudActions.indexOf(strictestAction(list));
        expect(rank([...some, more])).toBeGreaterThanOrEqual(rank(some));
      }),
    );
  });
});

describe('addresses', () => {
  it.each([
    ['Ann@Example.com', 'ann@example.com'],
    [' ann+shop@example.com ', 'ann@example.com'],
    ['a.n.n@example.com', 'a.n.n@example.com'],
    ['A.n.n+x+y@Gmail.com', 'ann@gmail.com'],
    ['a.nn@googlemail.com', 'ann@gmail.com'],
    ['ann@example.com.', 'ann@example.com'],
  ])('%s is %s', (email, canonical) => {
    expect(canonicalEmail(email)).toBe(canonical);
  });

  it('have a domain and the domains above it', () => {
    expect(emailDomains('x@A.b.Example.com')).toEqual([
      'a.b.example.com',
      'b.example.com',
      'example.com',
    ]);
    expect(emailDomains('no address')).toEqual([]);
  });

  it('keep one form: the canonical form of a canonical form is itself', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(canonicalEmail(canonicalEmail(email))).toBe(canonicalEmail(email));
      }),
    );
  });
});

describe('a User-Agent', () => {
  it.each([
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; rv:127.0) Gecko/20100101 Firefox/127.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
    'Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36',
    'Opera/9.80 (Android; Opera Mini/36) Presto/2.12',
  ])('of a browser: %s', (text) => {
    expect(isBrowser(text)).toBe(true);
  });

  it.each([null, '', 'shop-sync/2.1', 'Mozilla/5.0', 'okhttp', 'Mozilla/4.0 (compatible)'])(
    'of no browser: %s',
    (text) => {
      expect(isBrowser(text)).toBe(false);
    },
  );
});
