import { BlockList, isIPv6 } from 'node:net';

const networks = new BlockList();
networks.addSubnet('127.0.0.0', 8);
networks.addSubnet('10.0.0.0', 8);
networks.addSubnet('172.16.0.0', 12);
networks.addSubnet('192.168.0.0', 16);
networks.addSubnet('100.64.0.0', 10);
networks.addSubnet('169.254.0.0', 16);
networks.addAddress('::1', 'ipv6');
networks.addSubnet('fc00::', 7, 'ipv6');
networks.addSubnet('fe80::', 10, 'ipv6');

/**
 * Whether an address belongs to this machine or to a private network. Such an address is not one visitor:
 * when a reverse proxy is missing from TRUSTED_PROXIES, all clicks come from the proxy's address.
 */
export function isPrivateAddress(address: string): boolean {
  return networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
