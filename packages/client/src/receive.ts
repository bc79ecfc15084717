import { verifyWebhook, type Delivery } from './webhooks.ts';
import type { WebhookEvent } from './generated/resources.ts';

/** A request of Node, with or without a body that a parser has read. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  headers: Record<string, string | string[] | undefined>;
  /** Of express.raw(): the bytes. */
  body?: unknown;
}

export type VerifyOptions = Pick<Delivery, 'secrets' | 'toleranceSeconds'>;

/** Reads the raw body and verifies it. Throws when a parser was there before. */
export async function receive(request: NodeRequest, options: VerifyOptions): Promise<WebhookEvent> {
  return verifyWebhook({ ...options, headers: request.headers, body: await rawBodyOf(request) });
}

async function rawBodyOf(request: NodeRequest): Promise<string | Uint8Array> {
  const { body } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body !== undefined) throw new TypeError('Put the webhook before the parser of bodies.');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of request) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
