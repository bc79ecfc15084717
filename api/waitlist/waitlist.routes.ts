import { causeOf } from '../../activities/journal/cause';
import { joinWaitlist } from '../../activities/waitlist/signups';
import { routesOf, type Route } from '../http/contract/route';
import { open } from '../http/contract/credential';
import { WaitlistCountDto, WaitlistSignupBody } from './waitlist.dto';

const route = routesOf('Waitlist');

/** What the landing page calls: no credential, from the origins of WAITLIST_ORIGINS. */
export const waitlistRoutes: Route[] = [
  route.post(
    '/api/public/waitlist',
    {
      name: 'joinWaitlist',
      summary: 'Join the waitlist',
      description:
        'The answer is the same for a new address and for one that joined before. Fields are looked at in the order `website`, `elapsedMs`, `email`; the first that is wrong names the code.',
      auth: open('waitlist'),
      body: WaitlistSignupBody,
      looseFields: ['website', 'email'],
      fieldCodes: [
        ['website', 'ANTI_SPAM_FAILED'],
        ['elapsedMs', 'ANTI_SPAM_FAILED'],
        ['email', 'INVALID_EMAIL'],
      ],
      responses: { 201: { description: 'The address is on the list.' } },
    },
    async (ctx) => {
      await joinWaitlist(ctx.db, causeOf(ctx), { email: ctx.input.body.email });
      ctx.status = 201;
      ctx.body = '';
      ctx.remove('Content-Type');
    },
  ),

  route.get(
    '/api/public/waitlist/waitlist-count',
    {
      name: 'getWaitlistCount',
      summary: 'How many places are taken',
      description: 'Counted once in a while; see `Cache-Control`.',
      auth: open(null),
      responses: { 200: { type: WaitlistCountDto } },
    },
    async (ctx) => {
      const taken = await ctx.services.waitlist.taken(ctx.now);
      ctx.set('Cache-Control', 'public, max-age=30');
      ctx.body = { taken, total: ctx.deps.config.waitlist.total } satisfies WaitlistCountDto;
    },
  ),
];
