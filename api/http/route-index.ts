import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';

interface Node {
  literals: Map<string, Node>;
  parameter?: Node;
  /** Places of the routers that have a route ending here. */
  routers: Set<number>;
}

/**
 * Mounts routers. A router tries each of its patterns on each request, so a request is shown only to
 * those that have a route of its shape, in their order: the time does not grow with the API.
 */
export function mount(routers: readonly Router[]): Middleware {
  const root = indexOf(routers);
  const handlers = routers.map((router) => router.routes() as unknown as Middleware);

  return function dispatch(ctx: Context, next: Next) {
    const places = placesOf(root, segmentsOf(ctx.path));
    const tryFrom = (index: number): Promise<unknown> => {
      const handler = handlers[places[index] ?? -1];
      return handler ? (handler(ctx, () => tryFrom(index + 1)) as Promise<unknown>) : next();
    };
    return tryFrom(0);
  };
}

function indexOf(routers: readonly Router[]): Node {
  const root = newNode();
  routers.forEach((router, place) => {
    for (const { path } of router.stack) endOf(root, segmentsOf(String(path))).routers.add(place);
  });
  return root;
}

function endOf(root: Node, pattern: readonly string[]): Node {
  let node = root;
  for (const segment of pattern) {
    if (segment.startsWith(':')) {
      node = node.parameter ??= newNode();
      continue;
    }
    if (/[:*{}()]/.test(segment))
      throw new Error(`a pattern that the index cannot hold: ${segment}`);
    const known = node.literals.get(segment) ?? newNode();
    node.literals.set(segment, known);
    node = known;
  }
  return node;
}

function placesOf(root: Node, segments: readonly string[]): number[] {
  let nodes = [root];
  for (const segment of segments) {
    const reached: Node[] = [];
    for (const { literals, parameter } of nodes) {
      const literal = literals.get(segment);
      if (literal) reached.push(literal);
      if (parameter) reached.push(parameter);
    }
    nodes = reached;
  }
  const places = nodes.flatMap((node) => [...node.routers]);
  return places.length > 1 ? [...new Set(places)].sort((a, b) => a - b) : places;
}

/** As the routers see a path: in any case, with or without a slash at its end. */
function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? -1 : undefined;
  return path.slice(1, end).toLowerCase().split('/');
}

function newNode(): Node {
  return { literals: new Map(), routers: new Set() };
}
