/**
 * What stands for an IP address wherever addresses are counted or compared: an IPv4 address is
 * one owner's, of an IPv6 address only the first 64 bits are, and the rest is theirs to choose.
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const groups = groupsOf(ip);
  if (!groups) return ip;
  const [high, low] = groups.slice(6) as [number, number];
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/**
 * Addresses that most probably have one owner, where many are to take turns: 256 of IPv4, and of
 * IPv6 what is given to a whole site, which may use each of its networks.
 */
export function siteOf(ip: string): string {
  const network = networkOf(ip);
  const [, site] =
    /^(.+:.+:.+):.+::\/64$/.exec(network) ?? /^(.+\..+\..+)\..+$/.exec(network) ?? [];
  return site ?? network;
}

/** The eight groups of an IPv6 address; undefined for what is none. */
function groupsOf(ip: string): number[] | undefined {
  const [address = ''] = ip.toLowerCase().split('%');
  const plain = address.replace(/\d+\.\d+\.\d+\.\d+$/, (bytes) => {
    const [a, b, c, d] = bytes.split('.').map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail, ...more] = plain.split('::');
  const front = split(head);
  const back = split(tail ?? '');
  const missing = 8 - front.length - back.length;
  if (more.length > 0 || missing < 0 || (tail === undefined && missing !== 0)) return undefined;
  const groups = [...front, ...Array<string>(missing).fill('0'), ...back];
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}

function split(part: string): string[] {
  return part === '' ? [] : part.split(':');
}
