import { BlockList, isIP } from 'node:net';
import type { AddressReader } from '../contract/request';

/**
 * The address that sent a request. X-Forwarded-* count only as far as the chain of configured
 * proxies reaches: an untrusted peer can say what it wants. A proxy that names no valid address
 * makes all its clients one, whose limits they share: `onNoAddress` hears of it, once.
 */
export function createAddressReader(
  trustedProxies: string[],
  onNoAddress: (proxy: string) => void = () => undefined,
): AddressReader {
  let isTold = false;
  const clientOf = (hop: string | undefined, peer: string): string => {
    if (hop === undefined || isIP(hop) !== 0) return hop ?? peer;
    if (!isTold) onNoAddress(peer);
    isTold = true;
    return peer;
  };
  const trusted = toBlockList(trustedProxies);
  const hasProxies = trustedProxies.length > 0;
  const isTrusted = (ip: string): boolean =>
    hasProxies && isIP(ip) !== 0 && trusted.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6');

  return (request) => {
    const encrypted = (request.socket as { encrypted?: boolean }).encrypted === true;
    const peer = plain(request.socket.remoteAddress ?? '');
    if (!isTrusted(peer)) return { ip: peer, scheme: encrypted ? 'https' : 'http' };

    const hops = list(request.headers['x-forwarded-for']).map(withoutPort).map(plain);
    const client = hops.reverse().find((hop) => !isTrusted(hop));
    const scheme = list(request.headers['x-forwarded-proto']).at(-1);
    return {
      ip: clientOf(client, peer),
      scheme: scheme === 'https' || (scheme === undefined && encrypted) ? 'https' : 'http',
    };
  };
}

function toBlockList(entries: string[]): BlockList {
  const blocks = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    blocks.addSubnet(
      address,
      bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits),
      family,
    );
  }
  return blocks;
}

function list(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean);
}

/** Some proxies write `1.2.3.4:5678` or `[::1]:5678`. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}

/** IPv4 addresses arrive as `::ffff:1.2.3.4` on dual-stack sockets. */
function plain(ip: string): string {
  return ip.startsWith('::ffff:') && isIP(ip.slice(7)) === 4 ? ip.slice(7) : ip;
}
