import { AffiliateClient } from '../../../packages/client/src';
import { codeOf } from '../../../stack/demo/client';
import type { Demo } from '../../../stack/demo/seed';
import { confirmationPhrase } from '../../../entities/rules/erasure/erasure';
import { eventually } from '../eventually';
import { checkoutCompleted } from '../stripe/events';
import { signatureOf, webhookSecret } from '../stripe/shop';
import type { Balancer } from './balancer';

/** The merchant of the demo in test mode, over the public API alone: whichever release answers. */
export interface Merchant {
  /** Gets `conversion.created`. */
  salesEndpoint: string;
  /** Gets `commission.approved`. */
  approvalsEndpoint: string;
  /** Commissions of a moment ago, whose lifecycles are there. */
  pendingCommissions(count: number): Promise<string[]>;
  approve(commissionId: string): Promise<void>;
  /** A new partner account that is erased at once; its id and address. */
  eraseSomebody(name: string): Promise<{ partnerId: string; email: string }>;
  receiveStripeEvent(): Promise<void>;
  /** The id of a workspace made for it. */
  resetAnother(name: string): Promise<string>;
}

const password = 'correct horse battery staple';

export async function openMerchant(
  balancer: Balancer,
  demo: Demo,
  sinks: { sales: string; approvals: string },
): Promise<Merchant> {
  const as = (accessToken?: string): AffiliateClient =>
    new AffiliateClient({
      baseUrl: 'http://the-balancer.test',
      mode: 'test',
      fetch: through(balancer),
      ...(accessToken !== undefined && { accessToken }),
    });
  const anyone = as();
  const merchant = as((await anyone.signIn.loginMerchant(demo.merchant)).accessToken);
  const sales = { url: sinks.sales, events: ['conversion.created' as const] };
  const approvals = { url: sinks.approvals, events: ['commission.approved' as const] };
  const { programId } = demo;
  const { id: salesEndpoint } = await merchant.webhooks.create(sales);
  const { id: approvalsEndpoint } = await merchant.webhooks.create(approvals);
  const { url } = await merchant.stripe.putConnection({ webhookSecret });

  return {
    salesEndpoint,
    approvalsEndpoint,
    pendingCommissions: (count) =>
      eventually(async () => {
        const page = { programId, status: 'pending' as const, limit: 2 * count };
        const { data } = await merchant.commissions.listOfProgram(page);
        return data.length < 2 * count ? undefined : data.slice(-count).map(({ id }) => id);
      }),
    async approve(commissionId) {
      const decision = { programId, commissionId, reason: 'during an upgrade' };
      await merchant.commissions.approveOverride(decision);
    },
    async eraseSomebody(name) {
      const email = `${name}@leaver.example`;
      const partner = { email, password, name: 'Lea Ver' };
      const { accessToken, account } = await anyone.signIn.registerPartner(partner);
      const erasing = as(accessToken).erasure.erasePartnerAccount({
        confirmation: confirmationPhrase,
      });
      // The client package repeats a request that timed out; the first one may have been committed.
      await erasing.catch((error: unknown) => expect(codeOf(error)).toBe('ALREADY_ERASED'));
      return { partnerId: account.id, email };
    },
    async receiveStripeEvent() {
      const body = JSON.stringify(checkoutCompleted());
      const headers = {
        'Content-Type': 'application/json',
        'Stripe-Signature': signatureOf(body),
      };
      const { pathname } = new URL(url);
      const answer = await balancer.send(pathname, { method: 'POST', body, headers });
      if (!answer?.ok) throw new Error(`the event of Stripe: ${answer?.status}`);
      await answer.arrayBuffer();
    },
    async resetAnother(name) {
      const { accessToken, account } = await anyone.signIn.registerMerchant({
        email: `${name}@another.example`,
        password,
        name: 'Another',
        workspaceName: 'Another',
      });
      await as(accessToken).testMode.resetTestData();
      return account.workspaceId;
    },
  };
}

function through(balancer: Balancer): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const answer = await balancer.send(pathname + search, init);
    if (!answer) throw new TypeError('the connection broke');
    return answer;
  };
}
