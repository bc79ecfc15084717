import type { IncomingMessage } from 'node:http';
import { createAddressReader } from '../../../../api/http/checks/client-address';

interface Row {
  says: string;
  trusted?: string[];
  peer?: string;
  encrypted?: boolean;
  hops?: string;
  proto?: string;
  expected: [ip: string, scheme: 'http' | 'https'];
}

const PROXY = '10.0.0.1';
const trusted = ['10.0.0.0/8'];

const rows: Row[] = [
  {
    says: 'nobody is believed when no proxy is configured',
    trusted: [],
    peer: '127.0.0.1',
    hops: '1.2.3.4',
    proto: 'https',
    expected: ['127.0.0.1', 'http'],
  },
  {
    says: 'a peer that is no proxy names neither its address nor its scheme',
    peer: '198.51.100.7',
    hops: '1.2.3.4',
    proto: 'https',
    expected: ['198.51.100.7', 'http'],
  },
  {
    says: 'a peer that is no proxy is not believed behind two hops that are',
    peer: '198.51.100.7',
    hops: '1.2.3.4, 10.1.2.3, 10.0.0.2',
    proto: 'https, https',
    expected: ['198.51.100.7', 'http'],
  },
  {
    says: 'an encrypted socket needs no proxy',
    peer: '198.51.100.7',
    encrypted: true,
    proto: 'http',
    expected: ['198.51.100.7', 'https'],
  },
  { says: 'a proxy names the client', hops: '203.0.113.9', expected: ['203.0.113.9', 'http'] },
  {
    says: 'what the client wrote before does not count',
    hops: '1.2.3.4, 203.0.113.9',
    expected: ['203.0.113.9', 'http'],
  },
  {
    says: 'proxies behind each other are passed over',
    hops: '1.2.3.4, 203.0.113.9, 10.1.2.3, 10.0.0.2',
    expected: ['203.0.113.9', 'http'],
  },
  { says: 'proxies alone are the peer', hops: '10.0.0.2', expected: [PROXY, 'http'] },
  { says: 'no header is the peer', expected: [PROXY, 'http'] },
  { says: 'what is no address is the peer', hops: 'unknown', expected: [PROXY, 'http'] },
  { says: 'a port is left out', hops: '203.0.113.9:4711', expected: ['203.0.113.9', 'http'] },
  {
    says: 'IPv6 with a port',
    hops: '[2001:db8::9]:4711',
    expected: ['2001:db8::9', 'http'],
  },
  {
    says: 'the scheme is what the last proxy saw',
    hops: '203.0.113.9',
    proto: 'https, http',
    expected: ['203.0.113.9', 'http'],
  },
  {
    says: 'HTTPS at the last proxy',
    hops: '203.0.113.9',
    proto: 'http, HTTPS',
    expected: ['203.0.113.9', 'https'],
  },
  {
    says: 'a mapped address is IPv4, of peers and of hops',
    peer: '::ffff:10.0.0.1',
    hops: '::ffff:203.0.113.9',
    expected: ['203.0.113.9', 'http'],
  },
];

it.each(rows.map((row): [string, Row] => [row.says, row]))(
  "a caller's address: %s",
  (_says, row) => {
    const read = createAddressReader(row.trusted ?? trusted);
    const request = {
      socket: { remoteAddress: row.peer ?? PROXY, encrypted: row.encrypted ?? false },
      headers: {
        ...(row.hops === undefined ? {} : { 'x-forwarded-for': row.hops }),
        ...(row.proto === undefined ? {} : { 'x-forwarded-proto': row.proto }),
      },
    };
    const { ip, scheme } = read(request as unknown as IncomingMessage);
    expect([ip, scheme]).toEqual(row.expected);
  },
);

it('tells once of a proxy that writes no addresses, and of no stranger who does', () => {
  const told: string[] = [];
  const read = createAddressReader(trusted, (proxy) => told.push(proxy));
  const ask = (peer: string, hops: string): void => {
    const request = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': hops } };
    read(request as unknown as IncomingMessage);
  };
  ask('198.51.100.7', 'nonsense');
  ask(PROXY, '203.0.113.9');
  expect(told).toEqual([]);
  for (let n = 0; n < 3; n += 1) ask(PROXY, 'unknown');
  expect(told).toEqual([PROXY]);
});
