import { commandContextOf } from '../../activities/journal/cause';
import { bonusesOf, replaceBonuses, withReached } from '../../activities/standings/bonuses';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { BonusesBody, BonusesDto, presentBonuses } from './bonuses.dto';

const route = routesOf('Bonuses');
const path = '/api/v1/programs/:programId/bonuses';
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const responses = { 200: { type: BonusesDto } };

/** What partners earn once, by a figure (docs/reference/terms.md, Bonuses). */
export const bonusRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'getBonuses',
      summary: 'Read the bonuses of a programme',
      description: 'Each with how many partners have reached it and have not earned it.',
      auth: merchant('viewer'),
      params,
      responses,
    },
    async (ctx) => {
      const { id } = await programOf(ctx, ctx.input.params.programId);
      ctx.body = presentBonuses(await withReached(ctx.db, id, await bonusesOf(ctx.db, id)));
    },
  ),

  route.put(
    path,
    {
      name: 'replaceBonuses',
      summary: 'Replace the bonuses of a programme',
      description:
        'All or none. A known id goes on; one that is left out pays no more. A bonus is earned once by a partner, as a commission of its own, when the figure reaches `atLeast`. Where partners have reached a new or changed one already, `expectedReached` is their number; another number is 409 BONUS_REACHED_CHANGED, and nothing changes.',
      auth: merchant('admin'),
      params,
      body: BonusesBody,
      responses,
      errors: ['PROGRAM_ARCHIVED', 'BONUS_REACHED_CHANGED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { bonuses, expectedReached } = ctx.input.body;
      const command = {
        programId,
        bonuses: bonuses.map(({ currency, holdDays, autoApprove, ...given }) => ({
          ...given,
          currency: currency ?? undefined,
          groupIds: given.groupIds ?? null,
          holdDays: holdDays ?? null,
          autoApprove: autoApprove ?? null,
        })),
        expectedReached: expectedReached ?? undefined,
      };
      ctx.body = presentBonuses(await replaceBonuses(ctx.db, commandContextOf(ctx), command));
    },
  ),
];
