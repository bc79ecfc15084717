import exactDomains from 'disposable-email-domains';
import wildcardDomains from 'disposable-email-domains/wildcard';
import { emailDomains } from '../../entities/rules/fraud/fraud';

const exact = new Set(exactDomains);
const wildcards = new Set(wildcardDomains);

/** Whether the address is at a known throw-away provider, or below one that gives out subdomains. */
export function isDisposableEmail(email: string): boolean {
  const [domain, ...parents] = emailDomains(email);
  if (domain === undefined) return false;
  return exact.has(domain) || [domain, ...parents].some((name) => wildcards.has(name));
}
