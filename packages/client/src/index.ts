export { AffiliateClient } from './client.ts';
export type { Call, CallOptions, Fields, ListCall } from './calls.ts';
export { Reply, type Answer } from './answers.ts';
export { Paged } from './pages.ts';
export { AffiliateError, type ClientCode, type ErrorDetail } from './errors.ts';
export type { ClientOptions, RequestInfo, ResponseInfo } from './options.ts';
export {
  signForTest,
  verifyWebhook,
  verifyWebhookAsync,
  WebhookSetupError,
  WebhookVerificationError,
  type Delivery,
  type TestDelivery,
  type VerifiedEvent,
} from './webhooks.ts';
export type { Resources, WebhookEvent } from './generated/resources.ts';
export type * from './generated/types.gen.ts';
