/** Judged in every programme. */
export const standardFraudRules = [
  'self_referral_email',
  'same_ip_as_partner',
  'disposable_email',
  'click_velocity',
  'too_fast_conversion',
  'duplicate_customer',
  'bot_click',
  'refund_rate',
] as const;

/** Judged only where the merchant has set them. */
export const furtherFraudRules = ['paid_traffic', 'banned_source'] as const;

export const fraudRules = [...standardFraudRules, ...furtherFraudRules] as const;
export type FraudRule = (typeof fraudRules)[number];
type StandardFraudRule = (typeof standardFraudRules)[number];

/** The actions from lenient to strict. */
export const fraudActions = ['off', 'flag', 'hold', 'reject'] as const;
export type FraudAction = (typeof fraudActions)[number];

/** A flag is a case: open until somebody has looked. */
export const fraudFlagStates = ['open', 'confirmed', 'dismissed'] as const;
export type FraudFlagState = (typeof fraudFlagStates)[number];
export const fraudVerdicts = ['confirmed', 'dismissed'] as const;
export type FraudVerdict = (typeof fraudVerdicts)[number];

export interface FraudSetting {
  action: FraudAction;
  /** Clicks, seconds or per cent; null for a rule without a threshold. */
  threshold: number | null;
}
export type FraudSettings = Record<StandardFraudRule, FraudSetting> &
  Partial<Record<FraudRule, FraudSetting>>;

/**
 * What a programme has until its merchant says otherwise (docs/reference/analytics.md, Fraud
 * rules).
 */
export const defaultFraudSettings: Readonly<Record<StandardFraudRule, FraudSetting>> = {
  self_referral_email: { action: 'hold', threshold: null },
  same_ip_as_partner: { action: 'flag', threshold: null },
  disposable_email: { action: 'flag', threshold: null },
  click_velocity: { action: 'flag', threshold: 30 },
  too_fast_conversion: { action: 'flag', threshold: 10 },
  duplicate_customer: { action: 'flag', threshold: null },
  bot_click: { action: 'flag', threshold: null },
  refund_rate: { action: 'flag', threshold: 20 },
};

/** These need the buyer's address in plain, which is known only while a report is being handled. */
export const plainAddressRules: readonly FraudRule[] = ['self_referral_email', 'disposable_email'];

/** The number of earlier conversions below which a rate of refunds says nothing. */
export const minConversionsForRefundRate = 5;

/**
 * What is known of a conversion and its winner; null where the fact does not exist (no click, no
 * address).
 */
export interface FraudFacts {
  emailIsPartners: boolean | null;
  ipIsPartners: boolean | null;
  emailIsDisposable: boolean | null;
  /** Earlier clicks of the participant from the click's address, in the hour before it. */
  clicksFromIp: number | null;
  secondsFromClick: number | null;
  customerIsAnothersToo: boolean | null;
  clickIsBots: boolean | null;
  /** The page that the click led to was opened from an advertisement. */
  clickIsPaid: boolean | null;
  /** The click came from a host that the programme had banned by then; null without such hosts. */
  sourceIsBanned: boolean | null;
  /** The participant's attributed conversions of the last 90 days, and how many were refunded. */
  refunded: number;
  conversions: number;
}

export type FraudValue = number | boolean | null;

export interface FraudFinding {
  rule: FraudRule;
  action: FraudAction;
  hit: boolean;
  value: FraudValue;
  threshold: number | null;
}

const values: Record<FraudRule, (facts: FraudFacts) => FraudValue> = {
  self_referral_email: (facts) => facts.emailIsPartners,
  same_ip_as_partner: (facts) => facts.ipIsPartners,
  disposable_email: (facts) => facts.emailIsDisposable,
  click_velocity: (facts) => facts.clicksFromIp,
  too_fast_conversion: (facts) => facts.secondsFromClick,
  duplicate_customer: (facts) => facts.customerIsAnothersToo,
  bot_click: (facts) => facts.clickIsBots,
  refund_rate: refundRate,
  paid_traffic: (facts) => facts.clickIsPaid,
  banned_source: (facts) => facts.sourceIsBanned,
};

const comparisons: Partial<Record<FraudRule, (value: number, threshold: number) => boolean>> = {
  click_velocity: (value, threshold) => value > threshold,
  too_fast_conversion: (value, threshold) => value < threshold,
  refund_rate: (value, threshold) => value >= threshold,
};

export function hasThreshold(rule: FraudRule): boolean {
  return comparisons[rule] !== undefined;
}

/** The defaults with what the programme has set laid over them. */
export function fraudSettingsOf(stored: Partial<FraudSettings> | null): FraudSettings {
  return { ...defaultFraudSettings, ...stored };
}

/** The rules of a programme in one order: the standard ones, and the further ones that were set. */
export function settingsInOrder(settings: FraudSettings): ({ rule: FraudRule } & FraudSetting)[] {
  return fraudRules.flatMap((rule) => {
    const setting = settings[rule];
    return setting ? [{ rule, ...setting }] : [];
  });
}

/** Every rule judged and reported; a rule that is off is reported as not evaluated: no value, no hit. */
export function judgeFraud(settings: FraudSettings, facts: FraudFacts): FraudFinding[] {
  return settingsInOrder(settings).map(({ rule, action, threshold }) => {
    const value = action === 'off' ? null : values[rule](facts);
    return { rule, action, hit: isHit(rule, value, threshold), value, threshold };
  });
}

/** What happens to the conversion: the strictest action among the rules that hit. */
export function strictestAction(findings: readonly FraudFinding[]): FraudAction {
  const ranks = findings
    .filter((finding) => finding.hit)
    .map((finding) => fraudActions.indexOf(finding.action));
  return fraudActions[Math.max(0, ...ranks)] ?? 'off';
}

function isHit(rule: FraudRule, value: FraudValue, threshold: number | null): boolean {
  if (typeof value === 'boolean') return value;
  const compare = comparisons[rule];
  return compare !== undefined && value !== null && threshold !== null && compare(value, threshold);
}

/** The rate in per cent; null below the least number of conversions that a rate needs. */
function refundRate({ refunded, conversions }: FraudFacts): number | null {
  if (conversions < minConversionsForRefundRate) return null;
  return (refunded * 100) / conversions;
}

/**
 * The one form of an address under which its spellings meet: lower case, without a `+tag`, and for
 * Gmail without dots.
 */
export function canonicalEmail(email: string): string {
  const [local, domain] = splitEmail(email);
  const untagged = local.split('+', 1)[0] ?? local;
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${untagged}@${domain}`;
  return `${untagged.replaceAll('.', '')}@gmail.com`;
}

/** The domain of an address in lower case, and each domain above it, the most specific first. */
export function emailDomains(email: string): string[] {
  const labels = splitEmail(email)[1].split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

function splitEmail(email: string): [string, string] {
  const text = email.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  return [text.slice(0, at), text.slice(at + 1).replace(/\.$/, '')];
}

const browserMarks = [
  'gecko/',
  'applewebkit/',
  'chrome/',
  'safari/',
  'firefox/',
  'trident/',
  'msie ',
  'presto/',
];

/**
 * Whether a click's User-Agent is a browser's. Lists of bots were asked when the click was made.
 */
export function isBrowser(userAgent: string | null): boolean {
  const text = (userAgent ?? '').toLowerCase();
  const isClassic = text.startsWith('mozilla/') && browserMarks.some((mark) => text.includes(mark));
  return isClassic || text.startsWith('opera/');
}
