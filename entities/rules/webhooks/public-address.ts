/**
 * Which IP addresses an outbound webhook may be sent to (docs/reference/webhooks.md, Addresses).
 * Addresses are compared as numbers, never as text: `::7f00:1` and `127.1` look harmless.
 */

type Range = readonly [base: bigint, prefix: number];

/** IANA's special-purpose ranges, multicast and the reserved class, and Azure's wire server. */
const specialIpv4 = [
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
].map((text) => range(text, parseIpv4));

const globalIpv6: Range = range('2000::/3', parseIpv6);

const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((text) =>
  range(text, parseIpv6),
);

/**
 * Whether `text` is the literal of an address on the public internet. Anything that is not a
 * plain literal (a name, a zone id, brackets) is not public.
 */
export function isPublicAddress(text: string): boolean {
  const ipv4 = parseIpv4(text);
  if (ipv4 !== null) return !specialIpv4.some((special) => contains(special, ipv4, 32));

  const ipv6 = parseIpv6(text);
  if (ipv6 === null || !contains(globalIpv6, ipv6, 128)) return false;
  return !specialIpv6.some((special) => contains(special, ipv6, 128));
}

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;

  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null;
    value = value * 256n + BigInt(part);
  }
  return value;
}

function parseIpv6(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const groups = joinHalves(halves.map(ipv6Groups));
  return groups && groups.reduce((value, group) => value * 65_536n + BigInt(group), 0n);
}

/** All eight groups: a `::` between two halves stands for one group of zeros at least. */
function joinHalves([head, tail]: (number[] | null)[]): number[] | null {
  if (!head || tail === null) return null;
  if (!tail) return head.length === 8 ? head : null;
  const given = head.length + tail.length;
  return given > 7 ? null : [...head, ...Array<number>(8 - given).fill(0), ...tail];
}

/** The 16-bit groups of one side of `::`; a dotted IPv4 tail counts for two. */
function ipv6Groups(half: string): number[] | null {
  if (half === '') return [];

  const groups: number[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(parseInt(part, 16));
      continue;
    }
    const dotted = index === parts.length - 1 ? parseIpv4(part) : null;
    if (dotted === null) return null;
    groups.push(Number(dotted >> 16n), Number(dotted & 0xffffn));
  }
  return groups;
}

function range(text: string, parse: (address: string) => bigint | null): Range {
  const [address = '', prefix] = text.split('/');
  const base = parse(address);
  if (base === null) throw new Error(`Not an address range: ${text}`);
  return [base, Number(prefix)];
}

function contains([base, prefix]: Range, address: bigint, bits: number): boolean {
  const rest = BigInt(bits - prefix);
  return address >> rest === base >> rest;
}
