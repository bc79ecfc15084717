import { openTestDeps, type TestDeps } from '../app';
import { forTheSuite } from '../run/for-the-suite';
import { createStripeStandIn, type StripeStandIn } from './stand-in';

/** Connections that ask a stand-in for Stripe, for the suite; each test begins with one that knows nothing. */
export function useStripe(): { deps: TestDeps; stripe: StripeStandIn } {
  const stripe = createStripeStandIn();
  const deps = forTheSuite(async () => {
    await stripe.listen();
    const opened = await openTestDeps({ STRIPE_API_BASE: stripe.url });
    return {
      ...opened,
      async close() {
        await opened.close();
        await stripe.close();
      },
    };
  });
  beforeEach(() => stripe.reset());
  return { deps, stripe };
}
