import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from 'node:http';
import { claimAnyPort } from '../../stack/parts/ports';
import { buildSnippet } from '../../api/snippet/build';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Respond = (request: SeenRequest, response: ServerResponse) => void;

/** A stand-in for the service: gives out the script and takes down every request. */
export interface FakeService {
  origin: string;
  requests: SeenRequest[];
  /** What POST /v1/clicks does from now on. */
  onClick(respond: Respond): void;
  /** Resolves when that many clicks have arrived. */
  clicks(count: number): Promise<SeenRequest[]>;
  reset(): void;
  close(): Promise<void>;
}

/** A merchant's site: pages by path, on another origin than the service. */
export interface FakeSite {
  origin: string;
  /** The same site under another name of this machine. */
  at(host: string): string;
  put(path: string, html: string, headers?: Record<string, string>): void;
  /** The body of the next POST to it. */
  nextPost(): Promise<string>;
  close(): Promise<void>;
}

export const clickId = '0199f5a0-1111-7000-8000-000000000001';
export const visitorToken = '0199f5a0-2222-4000-8000-000000000002.c2lnbmF0dXJl';

/** The answer to a click that was recorded. */
export function recorded(id = clickId): Respond {
  return json(201, {
    click_id: id,
    visitor_token: visitorToken,
    recorded: true,
    expires_at: '2030-01-01T00:00:00.000Z',
  });
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (_request, response) => {
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After',
      ...headers,
    });
    response.end(JSON.stringify(body));
  };
}

export async function startService(): Promise<FakeService> {
  const { code } = buildSnippet();
  const requests: SeenRequest[] = [];
  let respond = recorded();
  let arrived: (() => void)[] = [];

  const answer = (request: SeenRequest, response: ServerResponse): void => {
    if (request.path === '/v1/selgeo.js') {
      response.writeHead(200, {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      });
      response.end(code);
      return;
    }
    respond(request, response);
    arrived.forEach((tell) => tell());
  };
  const server = createServer((message, response) => {
    void readBody(message).then((body) => {
      const { method = '', url = '', headers } = message;
      const request = { method, path: url, headers, body };
      requests.push(request);
      answer(request, response);
    });
  });

  const clicksSoFar = () => requests.filter(({ path }) => path === '/v1/clicks');
  return {
    origin: await listen(server, '127.0.0.1'),
    requests,
    onClick: (next) => (respond = next),
    async clicks(count) {
      while (clicksSoFar().length < count) {
        await new Promise<void>((resolve) => arrived.push(resolve));
      }
      return clicksSoFar();
    },
    reset() {
      requests.length = 0;
      respond = recorded();
      arrived = [];
    },
    close: () => close(server),
  };
}

export async function startSite(): Promise<FakeSite> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  let posted = (_body: string): void => undefined;
  const server = createServer((message, response) => {
    if (message.method === 'POST') {
      void readBody(message).then((body) => {
        response.end();
        posted(body);
      });
      return;
    }
    const page = pages.get(new URL(message.url ?? '/', 'http://site').pathname);
    response.writeHead(page ? 200 : 404, {
      'Content-Type': 'text/html',
      ...page?.headers,
    });
    response.end(page?.html ?? '');
  });
  const origin = await listen(server, 'localhost');
  return {
    origin,
    at: (host) => origin.replace('localhost', host),
    put: (path, html, headers = {}) => void pages.set(path, { html, headers }),
    nextPost: () => new Promise((resolve) => (posted = resolve)),
    close: () => close(server),
  };
}

/** An origin on which nothing listens. */
export async function deadOrigin(): Promise<string> {
  return `http://127.0.0.1:${await claimAnyPort()}`;
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function listen(server: Server, host: string): Promise<string> {
  const port = await claimAnyPort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://${host}:${port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
