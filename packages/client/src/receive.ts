import { readWhole, type Chunk } from './bodies.ts';
import {
  checkHeaders,
  keysOf,
  verifyWebhookAsync,
  WebhookSetupError,
  WebhookVerificationError,
  type Delivery,
  type VerifiedEvent,
} from './webhooks.ts';

/** A request of Node, with or without a body that a parser has read. */
export interface NodeRequest extends AsyncIterable<Chunk> {
  headers: Record<string, string | string[] | undefined>;
  /** The bytes, from express.raw(). */
  body?: unknown;
  /** The bytes, from Nest, Firebase, or a parser that keeps them. */
  rawBody?: unknown;
  /** Whether anybody has read of it. */
  readableDidRead?: boolean;
  resume?(): unknown;
  iterator?(options: { destroyOnReturn: boolean }): AsyncIterable<Chunk>;
}

export type VerifyOptions = Pick<Delivery, 'secrets' | 'toleranceSeconds'>;
export type OnEvent = (event: VerifiedEvent) => unknown;
export type RawBody = string | Uint8Array;

export interface Verdict {
  status: 204 | 400 | 413 | 500;
  reason?: string;
}

/**
 * The answer to a delivery: 204 once `onEvent` is done, 400 with the reason for what is not ours, 413
 * for what is too long, 500 for what you have to change. A body is read only behind good headers.
 * Throws what `onEvent` throws, so that the framework answers 500 and the delivery comes again.
 */
export async function answerTo(
  options: VerifyOptions & Pick<Delivery, 'headers'>,
  bodyOf: () => RawBody | Promise<RawBody>,
  onEvent: OnEvent,
): Promise<Verdict> {
  let event: VerifiedEvent;
  try {
    keysOf(options.secrets);
    checkHeaders(options);
    event = await verifyWebhookAsync({ ...options, body: await bodyOf() });
  } catch (error) {
    return verdictOf(error);
  }
  await onEvent(event);
  return { status: 204 };
}

function verdictOf(error: unknown): Verdict {
  if (error instanceof WebhookVerificationError) return { status: 400, reason: error.message };
  if (error instanceof WebhookSetupError) return { status: 500, reason: error.message };
  if (error instanceof RangeError) return { status: 413, reason: error.message };
  throw error;
}

/** The raw body: what a parser kept of it, else what is still to be read. */
export async function rawBodyOf(request: NodeRequest, ...kept: unknown[]): Promise<RawBody> {
  const raw = [request.rawBody, request.body, ...kept].find(isRaw);
  if (raw !== undefined) return raw;
  if (request.readableDidRead) throw parsed();
  // To stop reading must not end the connection: there is something to answer.
  const chunks = request.iterator?.({ destroyOnReturn: false }) ?? request;
  try {
    return await readWhole(chunks, request.headers['content-length']);
  } finally {
    // What is left of it is thrown away as it comes.
    request.resume?.();
  }
}

const isRaw = (body: unknown): body is RawBody =>
  typeof body === 'string' || body instanceof Uint8Array;

/** A parser was there before, and the bytes that were signed are gone. */
export const parsed = (): WebhookSetupError =>
  new WebhookSetupError(
    'Put the webhook before the parser of bodies, or have the parser keep the bytes as rawBody (Nest: rawBody: true; Express: verify of express.json()).',
  );
