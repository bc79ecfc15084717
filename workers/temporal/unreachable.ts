import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { TemporalTls } from '../../runtime/config/temporal-tls';

const untrusted = /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|SIGNATURE_FAILURE/;
const noTls = /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST/;

interface Server {
  address: string;
  tls?: boolean | TemporalTls;
}

/** Temporal does not answer; the message says why, as far as one more look at its TLS can tell. */
export class UnreachableError extends Error {}

export async function toUnreachable(server: Server, cause: unknown): Promise<UnreachableError> {
  const reason = (await reasonOf(server)) ?? (cause as Error).message;
  const text = `Temporal at TEMPORAL_ADDRESS (${server.address}) cannot be reached: ${reason}.`;
  return new UnreachableError(text, { cause });
}

/** The SDK tells neither whose certificate is wrong nor that one is missing; a TLS socket does. */
async function reasonOf(server: Server): Promise<string | undefined> {
  const isPlain = !server.tls;
  try {
    await seeWhetherItHolds(connect(optionsFor(server)));
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (!noTls.test(failure.code ?? '')) return explain(failure, server);
    return isPlain ? undefined : 'it does not speak TLS: unset TEMPORAL_TLS and its files';
  }
  return isPlain ? 'it speaks TLS: set TEMPORAL_TLS=true' : undefined;
}

function optionsFor({ address, tls }: Server): ConnectionOptions {
  const { hostname: host, port } = new URL(`http://${address}`);
  const { clientCertPair, serverRootCACertificate: ca } = typeof tls === 'object' ? tls : {};
  return {
    host,
    port: Number(port || 80),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: Boolean(tls),
    ...(ca ? { ca } : {}),
    ...(clientCertPair ? { cert: clientCertPair.crt, key: clientCertPair.key } : {}),
  };
}

/** The first that a server sends is its settings; one that refuses sends an alert, or hangs up. */
async function seeWhetherItHolds(socket: TLSSocket): Promise<void> {
  // A server of TLS 1.3 refuses a client only after the client's own handshake is done.
  const signal = AbortSignal.timeout(2_000);
  const hungUp = async (): Promise<never> => {
    await once(socket, 'close', { signal });
    throw Object.assign(new Error('it hung up'), { code: 'ECONNRESET' });
  };
  try {
    await Promise.race([once(socket, 'data', { signal }), hungUp()]);
  } finally {
    socket.destroy();
  }
}

function explain(error: NodeJS.ErrnoException, { tls }: Server): string | undefined {
  const { code = '', message, syscall } = error;
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') {
    return 'TEMPORAL_TLS_KEY is not the key of TEMPORAL_TLS_CERT';
  }
  if (untrusted.test(code)) {
    return `its certificate is of no authority that is trusted here (${code}): set TEMPORAL_TLS_CA`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate names others (${message})`;
  if (isRefusal(code, tls)) return refusalOf(code, tls);
  return syscall && message;
}

/** Without TLS on our side a hang-up says nothing of certificates. */
function isRefusal(code: string, tls: Server['tls']): boolean {
  return code.includes('ALERT') || (Boolean(tls) && /ECONNRESET|EPIPE/.test(code));
}

function refusalOf(code: string, tls: Server['tls']): string {
  return typeof tls === 'object' && tls.clientCertPair
    ? `it refuses the certificate of TEMPORAL_TLS_CERT (${code}), which is expired or of another authority`
    : 'it wants the certificate of a client: set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY';
}
