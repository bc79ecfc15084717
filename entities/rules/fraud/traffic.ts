/** What advertising networks add to the address that a paid click leads to. */
const adParameters = ['gclid', 'gbraid', 'wbraid', 'msclkid', 'fbclid', 'ttclid'];
const paidMediums = ['cpc', 'ppc', 'cpm', 'cpv', 'cpa', 'display', 'banner', 'retargeting'];

/** Whether the page that a click led to was opened from an advertisement, by its address. */
export function isPaidTraffic(pageUrl: string): boolean {
  if (!URL.canParse(pageUrl)) return false;
  return [...new URL(pageUrl).searchParams].some(([name, value]) => {
    const parameter = name.toLowerCase();
    if (adParameters.includes(parameter)) return value !== '';
    return parameter === 'utm_medium' && isPaidMedium(value.trim().toLowerCase());
  });
}

/** `paid`, `paid_social` and `paidsearch` too. */
function isPaidMedium(medium: string): boolean {
  return paidMediums.includes(medium) || medium.startsWith('paid');
}

/** Whether one of the addresses is of one of the hosts, or of a subdomain. */
export function isFromHost(hosts: readonly string[], addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    if (!URL.canParse(address)) return false;
    const host = new URL(address).hostname.replace(/\.$/, '');
    return hosts.some((banned) => host === banned || host.endsWith(`.${banned}`));
  });
}

const maxHostLength = 253;

/** The host as URLs have it: lower case, other alphabets in ASCII. What is no host stays as it is. */
export function normalisedHost(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > maxHostLength || !/^[^\s/?#@:\\[\]%]+$/.test(trimmed)) return text;
  const url = `https://${trimmed}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : text;
}

/** A name with a dot, without scheme, port or path. */
export function isHost(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > maxHostLength) return false;
  return text.includes('.') && /^[a-z0-9.-]+$/.test(text) && normalisedHost(text) === text;
}
