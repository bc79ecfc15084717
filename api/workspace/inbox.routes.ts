import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { Int } from '../http/contract/validators';
import { countInbox } from './inbox.queries';

const route = routesOf('Workspace');

class InboxDto {
  @Int({ description: 'Partners who wait for an answer.' })
  applications!: number;

  @Int({ description: 'Pending commissions that a person has to look at.' })
  review!: number;

  @Int({ description: 'What fraud rules found of commissions that are still pending.' })
  fraudFlags!: number;

  @Int({ description: 'Webhook deliveries that were given up.' })
  deadLetters!: number;

  @Int({ description: 'Events of Stripe that failed.' })
  stripeFailures!: number;

  @Int({ description: 'Events of Paddle and Polar that failed.' })
  billerFailures!: number;

  @Int()
  payoutsProcessing!: number;

  @Int({ description: 'Items of payouts that a person has to look at.' })
  payoutAttention!: number;

  @Int({ description: 'Partners who owe something back.' })
  debts!: number;
}

const inboxExample: InboxDto = {
  applications: 2,
  review: 1,
  fraudFlags: 1,
  deadLetters: 0,
  stripeFailures: 0,
  billerFailures: 0,
  payoutsProcessing: 1,
  payoutAttention: 0,
  debts: 0,
};

/** What waits for somebody, so that a person sees all of it at once. */
export const inboxRoutes: Route[] = [
  route.get(
    '/api/v1/workspace/inbox',
    {
      name: 'getInbox',
      summary: 'Count what waits for you, of the current mode',
      description:
        'Applications, reviews, fraud flags, dead letters, failed events, payouts under way and debts.',
      auth: merchant('viewer'),
      responses: { 200: { type: InboxDto, example: inboxExample } },
    },
    async (ctx) => {
      ctx.body = await countInbox(ctx.db, ctx.scope);
    },
  ),
];
