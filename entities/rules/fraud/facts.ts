import { secondsBetween } from '../values/instant';
import { canonicalEmail, isBrowser, type FraudFacts } from './fraud';
import { isFromHost, isPaidTraffic } from './traffic';

/** The buyer, as the report names them; the address is known only while it is handled. */
export interface Buyer {
  prospect: { email: string; isDisposable: boolean } | null;
  customerId: string | null;
  occurredAt: Date;
}

/** What is known of the partner who is credited, and of the click that led to them. */
export interface CreditedPartner {
  participant: { email: string };
  click: {
    clickedAt: Date;
    ipHash: string | null;
    userAgent: string | null;
    /** The page that it led to, and the one that it came from. */
    url: string | null;
    referrer: string | null;
  } | null;
  program: { bannedSources: readonly string[] };
  ipIsPartners: boolean;
  clicksFromIp: number;
  customerIsAnothersToo: boolean;
  refunded: number;
  conversions: number;
}

/** The facts that the rules judge; null where there is nothing to compare. */
export function fraudFactsOf(buyer: Buyer, partner: CreditedPartner): FraudFacts {
  const { prospect, customerId } = buyer;
  return {
    emailIsPartners:
      prospect && canonicalEmail(prospect.email) === canonicalEmail(partner.participant.email),
    emailIsDisposable: prospect && prospect.isDisposable,
    customerIsAnothersToo: prospect || customerId ? partner.customerIsAnothersToo : null,
    refunded: partner.refunded,
    conversions: partner.conversions,
    ...clickFactsOf(buyer, partner),
  };
}

type ClickFact =
  | 'ipIsPartners'
  | 'clicksFromIp'
  | 'secondsFromClick'
  | 'clickIsBots'
  | 'clickIsPaid'
  | 'sourceIsBanned';

function sourceIsBanned(
  click: CreditedPartner['click'],
  banned: readonly string[],
): boolean | null {
  if (!click || banned.length === 0) return null;
  const { url, referrer } = click;
  return isFromHost(
    banned,
    [url, referrer].filter((address) => address !== null),
  );
}

function clickFactsOf(
  { occurredAt }: Buyer,
  { click, ipIsPartners, clicksFromIp, program }: CreditedPartner,
): Pick<FraudFacts, ClickFact> {
  const hasIp = Boolean(click?.ipHash);
  return {
    ipIsPartners: hasIp ? ipIsPartners : null,
    clicksFromIp: hasIp ? clicksFromIp : null,
    secondsFromClick: click && Math.max(0, secondsBetween(click.clickedAt, occurredAt)),
    clickIsBots: click && !isBrowser(click.userAgent),
    clickIsPaid: click?.url ? isPaidTraffic(click.url) : null,
    sourceIsBanned: sourceIsBanned(click, program.bannedSources),
  };
}
