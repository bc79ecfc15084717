import { BlockList, isIPv4, isIPv6 } from 'node:net';

// Which IP addresses an outbound webhook may be sent to (docs/reference/webhooks.md, Addresses).

/** IANA's special-purpose ranges, multicast and the reserved class, and Azure's wire server. */
const specialIpv4 = rangesOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
const globalIpv6 = rangesOf('ipv6', ['2000::/3']);
const specialIpv6 = rangesOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * Whether `text` is the literal of an address on the public internet. Anything that is not a
 * plain literal (a name, a zone id, brackets) is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIPv4(text)) return !specialIpv4.check(text);
  if (!isIPv6(text) || text.includes('%')) return false;
  return globalIpv6.check(text, 'ipv6') && !specialIpv6.check(text, 'ipv6');
}

function rangesOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
