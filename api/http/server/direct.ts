import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../../entities/errors';
import { toEnvelope } from '../contract/error-envelope';
import { runnerOf } from '../checks/order-of-checks';
import { readText } from '../contract/body/body';
import type { Route } from '../contract/route';

/**
 * What the busiest endpoints and the middleware around them use of Koa's context. Koa's own costs
 * as much as all that a click does by itself: some eighty objects and closures, and one pass
 * through Node's table of headers for each header. `npm run bench tricks` holds it to that.
 */
class DirectContext {
  status = 404;
  body: unknown = undefined;
  readonly params = {};
  readonly query = {};
  readonly method = 'POST';
  // Declared here, filled in by the middleware: an object that grows is slow to make and to read.
  readonly deps = undefined;
  readonly services = undefined;
  readonly requestId = undefined;
  readonly now = undefined;
  readonly clientIp = undefined;
  readonly principal = undefined;
  readonly mode = undefined;
  readonly scope = undefined;
  readonly actor = undefined;
  readonly db = undefined;
  readonly input = undefined;
  readonly bodyAsSent = undefined;
  private headers: Record<string, string | number> = {};

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly path: string,
  ) {}

  /** The pattern, as the router would leave it for the metrics. */
  get _matchedRoute(): string {
    return this.path;
  }

  get response(): { get(name: string): string } {
    return { get: (name) => String(this.headers[name] ?? '') };
  }

  get(name: string): string {
    const value = this.req.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? '');
  }

  set(name: string | Record<string, string>, value = ''): void {
    if (typeof name === 'string') this.headers[name] = value;
    else Object.assign(this.headers, name);
  }

  vary(name: string): void {
    const present = String(this.headers['Vary'] ?? '');
    if (present.split(', ').includes(name)) return;
    this.headers['Vary'] = present === '' ? name : `${present}, ${name}`;
  }

  remove(name: string): void {
    if (name in this.headers) Reflect.deleteProperty(this.headers, name);
  }

  readText(): Promise<string> {
    return readText(this);
  }

  /** Headers and body in one write. */
  send(): void {
    const { res } = this;
    // An answer without a socket waits for its turn behind an earlier request of its connection.
    if (res.writableEnded || res.destroyed || res.socket?.writable === false) {
      res.end();
      return;
    }
    const text = JSON.stringify(this.body);
    this.headers['Content-Type'] = 'application/json; charset=utf-8';
    this.headers['Content-Length'] = Buffer.byteLength(text);
    res.writeHead(this.status, this.headers).end(text);
  }

  /** The answer to what the middleware could not answer; of its headers only the id is kept. */
  fail(): void {
    const { res } = this;
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const requestId = this.headers['X-Request-Id'];
    this.headers = requestId === undefined ? {} : { 'X-Request-Id': requestId };
    this.headers['X-Content-Type-Options'] = 'nosniff';
    const error = new AppError('INTERNAL_ERROR');
    this.status = error.status;
    this.body = toEnvelope(error);
    this.send();
  }
}

export interface DirectOptions {
  /** Middleware around the endpoint, the same as around all others. */
  around: readonly Middleware[];
  routes: readonly Route[];
  /** Names of routes: POST, a path without parameters, JSON answers. */
  names: readonly string[];
  onError(error: unknown): void;
}

/**
 * A listener that answers requests of a few endpoints without Koa, by the same middleware and the
 * same handlers. What is not literally such a request is left to `rest`.
 */
export function direct(options: DirectOptions, rest: RequestListener): RequestListener {
  const endpoints = new Map(options.names.map((name) => endpointOf(options, name)));

  return (req, res) => {
    const endpoint = req.method === 'POST' ? endpoints.get(req.url ?? '') : undefined;
    if (!endpoint) return rest(req, res);

    const ctx = new DirectContext(req, res, req.url as string);
    endpoint(ctx as unknown as Context)
      .then(() => ctx.send())
      .catch((error: unknown) => {
        options.onError(error);
        ctx.fail();
      });
  };
}

type Endpoint = (ctx: Context) => Promise<void>;

function endpointOf(
  { around, routes }: DirectOptions,
  name: string,
): readonly [path: string, endpoint: Endpoint] {
  const route = routes.find((known) => known.name === name);
  if (!route) throw new Error(`no route is called ${name}`);
  return [route.path, compose([...around, runnerOf(route)])];
}

const end = (): Promise<void> => Promise.resolve();

function compose(chain: readonly Middleware[]): Endpoint {
  return chain.reduceRight<Endpoint>(
    (next, middleware) => (ctx) => middleware(ctx, () => next(ctx)) as Promise<void>,
    end,
  );
}
