import {
  connect,
  constants,
  createSecureServer,
  type ClientHttp2Session,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { claimAnyPort } from '../../../stack/parts/ports';
import { contentsOf, type Authority } from './certificates';

const PERMISSION_DENIED = 7;
/** What a certificate for one namespace may not call at Temporal Cloud. */
const refused = /\/(RegisterNamespace|UpdateNamespace)$|^\/temporal\.api\.operatorservice\./;

export interface TemporalCloud {
  address: string;
  /** Names of the calls that were let through, and of those that were refused. */
  forwarded: Set<string>;
  refused: Set<string>;
  close(): Promise<void>;
}

/**
 * Stands for Temporal Cloud before a server of ours: answers by TLS only, and only to certificates of
 * this authority, and refuses what is done there on a page or by `tcld`. All else is passed on.
 */
export async function startTemporalCloud(
  upstreamAddress: string,
  authority: Authority,
): Promise<TemporalCloud> {
  const upstream = connect(`http://${upstreamAddress}`);
  const seen = { forwarded: new Set<string>(), refused: new Set<string>() };
  const server = createSecureServer({
    ...contentsOf(authority.sign('temporal-cloud')),
    ca: readFileSync(authority.cert),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session.on('close', () => sessions.delete(session)));
    session.on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const call = String(headers[constants.HTTP2_HEADER_PATH]);
    const isRefused = refused.test(call);
    seen[isRefused ? 'refused' : 'forwarded'].add(call.split('/').at(-1) ?? call);
    if (isRefused) refuse(stream, call);
    else passOn(upstream, stream, headers);
  });
  const port = await listenSomewhere(server);
  return {
    address: `localhost:${port}`,
    ...seen,
    async close() {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listenSomewhere(server: Http2SecureServer): Promise<number> {
  const port = await claimAnyPort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return port;
}

function refuse(stream: ServerHttp2Stream, call: string): void {
  stream.resume();
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': PERMISSION_DENIED,
      'grpc-message': `Request unauthorized: ${call}`,
    },
    { endStream: true },
  );
}

/** HTTP/2 as gRPC uses it: headers, bytes both ways, and the status of the call in trailers. */
function passOn(
  upstream: ClientHttp2Session,
  stream: ServerHttp2Stream,
  { ':scheme': _scheme, ':authority': _authority, ...headers }: IncomingHttpHeaders,
): void {
  const call = upstream.request(headers);
  const cancel = (): void => void call.close(constants.NGHTTP2_CANCEL);
  stream.on('error', cancel).on('aborted', cancel);
  call.on('error', () => stream.close(constants.NGHTTP2_CANCEL));
  call.on('response', ({ ...answer }, flags) => {
    if (stream.destroyed) return;
    // A refusal is headers alone, without bytes or trailers.
    const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(answer, { waitForTrailers: !isWhole, endStream: isWhole });
  });
  let trailers: IncomingHttpHeaders = {};
  call.on('trailers', (sent) => (trailers = sent));
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.pipe(call).pipe(stream);
}
