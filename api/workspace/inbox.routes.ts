import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { AnyText, Int, OneOf, Uuid } from '../http/contract/validators';
import { programOf } from '../access';
import { countInbox, listInboxPlaces, placedKinds, type PlacedKind } from './inbox.queries';

const route = routesOf('Workspace');

class InboxDto {
  @Int({ description: 'Partners who wait for an answer.', example: 2 })
  applications!: number;

  @Int({ description: 'Pending commissions that a person has to look at.', example: 1 })
  review!: number;

  @Int({ description: 'What fraud rules found of commissions that are still pending.', example: 1 })
  fraudFlags!: number;

  @Int({ description: 'Webhook deliveries that were given up.' })
  deadLetters!: number;

  @Int({ description: 'Events of Stripe that failed.' })
  stripeFailures!: number;

  @Int({ description: 'Events of Paddle and Polar that failed.' })
  billerFailures!: number;

  @Int({ example: 1 })
  payoutsProcessing!: number;

  @Int({ description: 'Items of payouts that a person has to look at.' })
  payoutAttention!: number;

  @Int({ description: 'Partners who owe something back.' })
  debts!: number;
}

class InboxQuery {
  @Uuid({
    optional: true,
    description: 'Counts of one programme alone; what waits at webhooks and billers is then 0.',
  })
  programId?: string;
}

class InboxPlacesQuery extends PageQuery {
  @Uuid({ optional: true, description: 'Narrows to one programme.' })
  programId?: string;

  @OneOf(placedKinds, { optional: true, description: 'Narrows to one kind.' })
  kind?: PlacedKind;
}

class InboxPlaceDto {
  @OneOf(placedKinds)
  kind!: PlacedKind;

  @Uuid({
    nullable: true,
    description: 'Null where it waits at a webhook.',
  })
  programId!: string | null;

  @Uuid({ nullable: true, description: 'Null where it waits in a programme.' })
  webhookId!: string | null;

  @AnyText({ description: 'Of the programme; the URL of a webhook.', example: 'Tea partners' })
  name!: string;

  @Int({ min: 1, description: 'How many wait there.', example: 2 })
  count!: number;
}

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
      query: InboxQuery,
      responses: { 200: { type: InboxDto } },
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const { programId } = ctx.input.query;
      if (programId) await programOf(ctx, programId);
      ctx.body = await countInbox(ctx.db, ctx.scope, programId);
    },
  ),

  route.get(
    '/api/v1/workspace/inbox/places',
    {
      name: 'listInboxPlaces',
      summary: 'List where something waits for you, of the current mode',
      description: [
        'A row for each kind and the programme, or webhook, where some of it waits, the fullest first.',
        'Failed events of billers have no place.',
      ].join(' '),
      auth: merchant('viewer'),
      query: InboxPlacesQuery,
      responses: pageAnswer(InboxPlaceDto),
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const { programId } = ctx.input.query;
      if (programId) await programOf(ctx, programId);
      const found = await listInboxPlaces(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, (place): InboxPlaceDto => place);
    },
  ),
];
