import { causeOf } from '../../activities/journal/cause';
import { reportNotReceived } from '../../activities/payouts/not-received';
import { AppError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';
import { partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { BalancesDto, PartnerPayoutDto, presentPartnerPayout } from '../payouts/payouts.dto';
import { NotReceivedBody, NotReceivedDto } from '../payouts/not-received.dto';
import { balancesOf, listPartnerPayouts, participationsOf } from '../payouts/payouts.queries';
import { CommissionStatsDto } from './commission-answers.dto';
import {
  OwnBalancesQuery,
  PartnerCommissionFilter,
  PartnerCommissionListQuery,
} from './commission-filter.dto';
import { listCommissions } from './commission-list.queries';
import type { CommissionSelection } from './commission-selection';
import { commissionStats } from './commission-stats.queries';
import { findOwnCommission, findTrail } from './commission-trail.queries';
import { PartnerCommissionDetailDto, PartnerCommissionDto } from './commissions.dto';
import { statsExample } from './examples';
import {
  presentPartnerCommission,
  presentPartnerCommissionDetail,
  presentStats,
} from './presenters';

const route = routesOf('Partner portal');
const own = { auth: partner() } as const;

/** A partner's own commissions, balances and payouts over all programmes of the mode. */
export const partnerCommissionRoutes: Route[] = [
  route.get(
    '/api/v1/partner/commissions',
    {
      name: 'listPartnerCommissions',
      ...own,
      summary: 'List your own commissions',
      description: 'Of all programmes that you are in, of the current mode.',
      query: PartnerCommissionListQuery,
      responses: pageAnswer(PartnerCommissionDto),
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const { query } = ctx.input;
      const selection = await selectionOf(ctx, query);
      const found = await listCommissions(ctx.db, selection, query);
      ctx.body = toPage(ctx, found, (row) => presentPartnerCommission(row, ctx.now));
    },
  ),

  route.get(
    '/api/v1/partner/commissions/stats',
    {
      name: 'getPartnerCommissionStats',
      ...own,
      summary: 'Count and sum your own commissions',
      description: 'By status and currency, narrowed as the list is.',
      query: PartnerCommissionFilter,
      responses: { 200: { type: CommissionStatsDto, example: statsExample } },
      errors: ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const selection = await selectionOf(ctx, ctx.input.query);
      ctx.body = presentStats(await commissionStats(ctx.db, selection));
    },
  ),

  route.get(
    '/api/v1/partner/commissions/:commissionId',
    {
      name: 'getPartnerCommission',
      ...own,
      summary: 'Read an own commission with its history and ledger',
      description: 'Every change of its status, and every amount that was booked.',
      params: { commissionId: 'COMMISSION_NOT_FOUND' },
      responses: {
        200: { type: PartnerCommissionDetailDto },
      },
    },
    async (ctx) => {
      const { commissionId } = ctx.input.params;
      const who = { partnerId: ctx.principal.accountId, mode: ctx.mode };
      const record = await findOwnCommission(ctx.db, who, commissionId);
      if (!record) throw new AppError('COMMISSION_NOT_FOUND');
      const trail = await findTrail(ctx.db, record);
      ctx.body = presentPartnerCommissionDetail(record, trail, ctx.now);
    },
  ),

  route.get(
    '/api/v1/partner/balances',
    {
      name: 'getPartnerBalances',
      ...own,
      summary: 'Read what you are owed, by currency',
      description: 'Pending, approved, under way, paid, and what is owed back.',
      query: OwnBalancesQuery,
      responses: { 200: { type: BalancesDto } },
      errors: ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const { participantIds } = await selectionOf(ctx, ctx.input.query);
      ctx.body = { balances: await balancesOf(ctx.db, participantIds) };
    },
  ),

  route.get(
    '/api/v1/partner/payouts',
    {
      name: 'listPartnerPayouts',
      ...own,
      summary: 'List your own payouts, newest first',
      description: 'One row for each payout and currency, with what became of it.',
      query: PageQuery,
      responses: pageAnswer(PartnerPayoutDto),
    },
    async (ctx) => {
      const { participantIds } = await selectionOf(ctx, {});
      const found = await listPartnerPayouts(ctx.db, participantIds, ctx.input.query);
      ctx.body = toPage(ctx, found, presentPartnerPayout);
    },
  ),

  route.post(
    '/api/v1/partner/payouts/:id/not-received',
    {
      name: 'reportPayoutNotReceived',
      ...own,
      summary: 'Say that a payout did not arrive',
      description:
        "Of what counts as paid. The merchant's admins are told, once a day; it changes no status.",
      params: { id: 'PAYOUT_NOT_FOUND' },
      body: NotReceivedBody,
      bodyOptional: true,
      responses: { 202: { type: NotReceivedDto } },
      errors: ['PAYOUT_ITEM_INVALID_TRANSITION'],
    },
    async (ctx) => {
      const { participantIds } = await selectionOf(ctx, {});
      const { message = null } = ctx.input.body ?? {};
      const command = { payoutId: ctx.input.params.id, participantIds, message };
      await reportNotReceived(ctx.db, causeOf(ctx), command);
      ctx.status = 202;
      ctx.body = {};
    },
  ),
];

interface PartnerContext {
  db: Db;
  mode: Mode;
  principal: { accountId: string };
}

/** Commissions of one programme, or of all. PROGRAM_NOT_FOUND for one that the partner is not in. */
async function selectionOf(
  ctx: PartnerContext,
  { programId, search, ...filter }: PartnerCommissionFilter,
): Promise<CommissionSelection & { participantIds: string[] }> {
  const who = { partnerId: ctx.principal.accountId, mode: ctx.mode };
  const isOf = (one: { programId: string }): boolean => one.programId === programId;
  const all = await participationsOf(ctx.db, who);
  if (programId && !all.some(isOf)) throw new AppError('PROGRAM_NOT_FOUND');
  const found = search ? await participationsOf(ctx.db, { ...who, search }) : all;
  const chosen = programId ? found.filter(isOf) : found;
  return {
    programIds: chosen.map((one) => one.programId),
    participantIds: chosen.map((one) => one.id),
    filter,
  };
}
