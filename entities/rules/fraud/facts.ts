import { secondsBetween } from '../values/instant';
import { canonicalEmail, isBrowser, type FraudFacts } from './fraud';

/** The buyer, as the report names them; the address is known only while it is handled. */
export interface Buyer {
  prospect: { email: string; isDisposable: boolean } | null;
  customerId: string | null;
  occurredAt: Date;
}

/** What is known of the partner who is credited, and of the click that led to them. */
export interface CreditedPartner {
  participant: { email: string };
  click: { clickedAt: Date; ipHash: string | null; userAgent: string | null } | null;
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

function clickFactsOf(
  { occurredAt }: Buyer,
  { click, ipIsPartners, clicksFromIp }: CreditedPartner,
): Pick<FraudFacts, 'ipIsPartners' | 'clicksFromIp' | 'secondsFromClick' | 'clickIsBots'> {
  const hasIp = Boolean(click?.ipHash);
  return {
    ipIsPartners: hasIp ? ipIsPartners : null,
    clicksFromIp: hasIp ? clicksFromIp : null,
    secondsFromClick: click && Math.max(0, secondsBetween(click.clickedAt, occurredAt)),
    clickIsBots: click && !isBrowser(click.userAgent),
  };
}
