import { commandContextOf } from '../../activities/journal/cause';
import { replaceTiers, tiersOf } from '../../activities/standings/tiers';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { TiersBody, TiersDto, presentTiers } from './tiers.dto';

const route = routesOf('Tiers');
const path = '/api/v1/programs/:programId/tiers';
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const responses = { 200: { type: TiersDto } };

/** Figures that lead into groups (docs/reference/terms.md, Tiers). */
export const tierRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'getTiers',
      summary: 'Read the steps of a programme',
      description: 'At first there are none.',
      auth: merchant('viewer'),
      params,
      responses,
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      ctx.body = presentTiers(await tiersOf(ctx.db, program.id));
    },
  ),

  route.put(
    path,
    {
      name: 'replaceTiers',
      summary: 'Replace the steps of a programme',
      description:
        'A step acts once on a partner, when the figure reaches it: an approved partner of a group below it is moved there, for payments that arrive later. New and changed steps act on whoever has reached them.',
      auth: merchant('admin'),
      params,
      body: TiersBody,
      check: ({ demote }) =>
        demote === true ? [{ field: 'demote', message: 'must be false' }] : [],
      responses,
      errors: ['PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { metric, steps } = ctx.input.body;
      const tiers = { metric, steps: steps.map(({ atLeast, groupId }) => ({ atLeast, groupId })) };
      const command = { programId, tiers };
      ctx.body = presentTiers(await replaceTiers(ctx.db, commandContextOf(ctx), command));
    },
  ),
];
