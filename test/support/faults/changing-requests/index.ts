import { accountRequests } from './accounts';
import { importRequests } from './imports';
import { messageRequests } from './messages';
import { moneyRequests } from './money';
import { programRequests } from './programs';
import { sendingRequests } from './sending';
import { workspaceRequests } from './workspace';
import type { Setup } from './worlds';

export { emailWebhookSecret } from './messages';
export { providerRequests } from './sending';
export { send } from './send';
export type { Prepared, Setup } from './worlds';

/** A request for each operation that changes something, by operationId. */
export const changingRequests: Record<string, Setup> = {
  ...accountRequests,
  ...workspaceRequests,
  ...programRequests,
  ...moneyRequests,
  ...messageRequests,
  ...importRequests,
  ...sendingRequests,
};

/** What changes nothing, or nothing in Postgres, though its method says otherwise. */
export const unchanging: Record<string, string> = {
  dryRunConversion: 'only reads',
  previewPartnerInvite: 'only reads',
  previewPayout: 'only reads',
  backTestFraudRules: 'only reads',
  backTestCommissionRules: 'only reads',
  exportParticipant: 'only reads',
  exportPartnerAccount: 'only reads',
  pingWebhook: 'only reads, and posts to the receiver',
  createMerchantStreamTicket: 'a signed text, kept nowhere',
  createPartnerStreamTicket: 'a signed text, kept nowhere',
};

/** What asks a provider between transactions of its own, each kept for itself (test/api/sending/batches.test.ts). */
export const untried: readonly string[] = ['cancelUnclaimedPayoutItem'];
