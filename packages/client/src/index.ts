export { AffiliateClient } from './client.ts';
export { Paged, type Call, type CallOptions, type Fields, type ListCall } from './calls.ts';
export { AffiliateError, type ClientCode, type ErrorDetail } from './errors.ts';
export type { ClientOptions } from './transport.ts';
export { verifyWebhook, WebhookVerificationError, type Delivery } from './webhooks.ts';
export type { Resources, WebhookEvent } from './generated/resources.ts';
export type * from './generated/types.gen.ts';
