import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** All addresses of a host name, as literals; rejects when there are none in time. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

export class UnresolvableHostError extends Error {
  override readonly name = 'UnresolvableHostError';
  readonly code = 'UNRESOLVABLE';
}

const hostsFile =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * Resolves without getaddrinfo, whose calls block the few threads that the whole process shares:
 * a merchant's dead name server must not delay another merchant's delivery. Looks at the hosts file
 * first, as the system's own resolver does.
 */
export function createResolver({ timeoutMs }: { timeoutMs: number }): ResolveHost {
  return async (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];

    const local = await fromHostsFile(name);
    if (local.length > 0) return local;
    return fromNameServers(name, timeoutMs);
  };
}

async function fromHostsFile(name: string): Promise<string[]> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((known) => known.toLowerCase() === name) ? [address] : [];
  });
}

async function fromNameServers(name: string, timeoutMs: number): Promise<string[]> {
  const resolver = new Resolver({
    timeout: Math.ceil(timeoutMs / 2),
    tries: 2,
  });
  const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length === 0) throw new UnresolvableHostError(`${name} has no address`);
    return addresses;
  } finally {
    clearTimeout(deadline);
  }
}
