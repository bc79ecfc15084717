import { Socket, isIP } from 'node:net';

const GUARDED = Symbol.for('affiliate.test.loopback-only');

/** Hosts of servers that the environment gives may be elsewhere. */
function givenHosts(): string[] {
  return Object.entries(process.env)
    .filter(([name]) => /^TEST_(DATABASE|POOLER|REDIS|SMTP|MAIL_API)_URL$/.test(name))
    .flatMap(([, url]) => (url ? [new URL(url).hostname] : []));
}

function isAllowed(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost') || isGiven(host);
  return /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(host) || isGiven(host);
}

function isGiven(host: string): boolean {
  return givenHosts().includes(host);
}

/**
 * The host of a connect call; undefined for this machine, for sockets of files, and where whoever
 * connects looks names up by itself, as the guard against private addresses does.
 */
function hostOf(args: unknown[]): string | undefined {
  const [first] = args.flat() as unknown[];
  if (typeof first === 'object' && first !== null) {
    const { host, lookup } = first as { host?: string; lookup?: unknown };
    return lookup === undefined ? host : undefined;
  }
  return typeof args[1] === 'string' ? args[1] : undefined;
}

/**
 * No test reaches a foreign host: what forgot its stand-in is refused at once, by a sentence that
 * says so.
 */
function guardSockets(): void {
  const prototype = Socket.prototype as unknown as Record<string | symbol, unknown>;
  if (prototype[GUARDED]) return;
  prototype[GUARDED] = true;
  const connect = prototype['connect'] as (...args: unknown[]) => Socket;
  prototype['connect'] = function (this: Socket, ...args: unknown[]): Socket {
    const host = hostOf(args);
    if (host === undefined || isAllowed(host)) return connect.apply(this, args);
    const error = new Error(`a test may not reach ${host}: use a stand-in on this machine`);
    process.nextTick(() => this.destroy(error));
    return this;
  };
}

guardSockets();
