import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address';
import { bareHost } from '../../entities/rules/webhooks/url';
import { buildConnector } from 'undici';
import { UnresolvableHostError, type ResolveHost } from './resolver';

export interface AddressGuardOptions {
  /** Opens private and reserved addresses, for receivers on one's own machine. */
  allowPrivate: boolean;
  resolve: ResolveHost;
}

export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly code = 'BLOCKED_ADDRESS';

  constructor() {
    super('the host leads to a private or reserved address');
  }
}

/**
 * The addresses that a host stands for, when every one of them may be dialled: a single bad one
 * refuses the whole answer. Throws BlockedAddressError or UnresolvableHostError.
 */
export async function allowedAddresses(
  hostname: string,
  options: AddressGuardOptions,
): Promise<string[]> {
  const host = bareHost(hostname);
  const addresses = isIP(host) ? [host] : await resolveOrFail(host, options.resolve);
  if (!addresses.every((address) => mayDial(address, options))) throw new BlockedAddressError();
  return addresses;
}

/**
 * Dials only what the guard allows. A name is resolved here, once for each connection, and the
 * addresses that were judged are the ones that are dialled, so a name server that changes its
 * answer gains nothing. Literals never reach `lookup` and are judged before; the far end of the
 * open socket is judged again, before a byte is written.
 */
export function guardedConnector(
  options: AddressGuardOptions & { timeoutMs: number; ca?: string },
): buildConnector.connector {
  const dial = buildConnector({
    timeout: options.timeoutMs,
    rejectUnauthorized: true,
    lookup: guardedLookup(options),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  return (target, callback) => {
    const host = bareHost(target.hostname);
    if (isIP(host) && !mayDial(host, options)) {
      queueMicrotask(() => callback(new BlockedAddressError(), null));
      return;
    }
    dial(target, (...[error, socket]: buildConnector.CallbackArgs) => {
      if (error) return callback(error, null);
      if (mayDial(socket.remoteAddress ?? '', options)) return callback(null, socket);
      socket.destroy();
      callback(new BlockedAddressError(), null);
    });
  };
}

function guardedLookup(options: AddressGuardOptions): LookupFunction {
  return (hostname, lookup, callback) => {
    allowedAddresses(hostname, options).then(
      (addresses) => {
        const all = addresses.map((address) => ({
          address,
          family: isIP(address),
        }));
        if (lookup.all) return callback(null, all);
        const [first] = all;
        callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, lookup.all ? [] : ''),
    );
  };
}

function mayDial(address: string, options: AddressGuardOptions): boolean {
  return options.allowPrivate ? isIP(address) !== 0 : isPublicAddress(address);
}

async function resolveOrFail(host: string, resolve: ResolveHost): Promise<string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new UnresolvableHostError(`${host} cannot be resolved`, {
      cause: error,
    });
  });
  if (addresses.length === 0) throw new UnresolvableHostError(`${host} has no address`);
  return addresses;
}
