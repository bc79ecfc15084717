import type { WebhookEvent } from './generated/resources.ts';
import { verifyWebhook, WebhookVerificationError, type Delivery } from './webhooks.ts';

/** A request of Node, with or without a body that a parser has read. */
export interface NodeRequest extends AsyncIterable<Uint8Array<ArrayBuffer> | string> {
  headers: Record<string, string | string[] | undefined>;
  /** Of express.raw(): the bytes. */
  body?: unknown;
}

export type VerifyOptions = Pick<Delivery, 'secrets' | 'toleranceSeconds'>;
export type OnEvent = (event: WebhookEvent) => unknown;

/**
 * The answer to a delivery: 204 once `onEvent` is done, 400 with the reason for what is not ours.
 * Throws what `onEvent` throws, so that the framework answers 500 and the delivery comes again.
 */
export async function answerTo(
  delivery: Delivery,
  onEvent: OnEvent,
): Promise<{ status: 204 | 400; reason?: string }> {
  let event: WebhookEvent;
  try {
    event = verifyWebhook(delivery);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { status: 400, reason: error.message };
  }
  await onEvent(event);
  return { status: 204 };
}

/** The raw body. Throws when a parser was there before. */
export async function rawBodyOf(request: NodeRequest): Promise<string | Uint8Array> {
  const { body } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body !== undefined) throw new TypeError('Put the webhook before the parser of bodies.');
  const chunks: (Uint8Array<ArrayBuffer> | string)[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
