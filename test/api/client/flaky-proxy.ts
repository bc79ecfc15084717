import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';

/** What happens to one request on its way. */
export type Fate =
  | { kind: 'pass' }
  /** The service does the work; its answer is lost. */
  | { kind: 'drop' }
  /** The service is asked twice; the second answer counts. */
  | { kind: 'twice' }
  /** The service is not asked. */
  | { kind: 'refuse'; status: number; retryAfter?: string; location?: string; body?: object }
  /** The service does the work; a gateway answers in its place. */
  | { kind: 'gateway'; status: number }
  /** Somebody else answers with a page, and calls it a success. */
  | { kind: 'portal' }
  /** Nothing comes back until the client gives up. */
  | { kind: 'hang' }
  /** The service does the work; its answer comes once the client has given up. */
  | { kind: 'late' };

export interface FlakyProxy {
  url: string;
  /** What is known of every request that came, in order. */
  keys: (string | undefined)[];
  /** Who each says that it is. */
  agents: (string | undefined)[];
  close(): Promise<void>;
}

/** A proxy between a client and the service, which decides each request's fate by its number. */
export async function startFlakyProxy(
  target: string,
  fateOf: (number: number) => Fate,
): Promise<FlakyProxy> {
  const keys: (string | undefined)[] = [];
  const agents: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'] as string | undefined);
    agents.push(request.headers['user-agent']);
    void meet(fateOf(keys.length), { request, response, target });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, keys, agents, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  target: string;
}

async function meet(fate: Fate, { request, response, target }: Exchange): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (fate.kind === 'hang') return;
  if (fate.kind === 'refuse') {
    const { retryAfter, location, body: refusal } = fate;
    const headers = {
      ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
      ...(location !== undefined && { Location: location }),
    };
    response.writeHead(fate.status, headers).end(refusal && JSON.stringify(refusal));
    return;
  }
  if (fate.kind === 'portal') {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in to the network</h1>');
    return;
  }
  if (fate.kind === 'twice') await asked(target, request, body);
  const answer = await asked(target, request, body);
  if (fate.kind === 'gateway') {
    response.writeHead(fate.status, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
    return;
  }
  if (fate.kind === 'late') await once(response, 'close');
  if (fate.kind === 'drop') {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function asked(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { method, headers: { ...headers, host: new URL(target).host } };
    const sent = forward(target + (url ?? ''), options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
