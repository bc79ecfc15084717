import exactDomains from 'disposable-email-domains';
import wildcardDomains from 'disposable-email-domains/wildcard';
import { emailDomains } from '../../entities/rules/fraud/fraud';

/** The list is made by its first use: a start has no time for it. */
let known: { exact: Set<string>; wildcards: Set<string> } | undefined;

function knownDomains() {
  known ??= { exact: new Set(exactDomains), wildcards: new Set(wildcardDomains) };
  return known;
}

/** Whether the address is at a known throw-away provider, or below one that gives out subdomains. */
export function isDisposableEmail(email: string): boolean {
  const [domain, ...parents] = emailDomains(email);
  if (domain === undefined) return false;
  const { exact, wildcards } = knownDomains();
  return exact.has(domain) || [domain, ...parents].some((name) => wildcards.has(name));
}
