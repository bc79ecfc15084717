import { findCommissions } from '../../activities/commissions/records';
import { AppError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';
import { partner } from '../http/contract/credential';
import { contract } from '../http/contract/contract';
import { route, type Route } from '../http/contract/route';
import { PageQuery, pageOf, toPage } from '../http/contract/pagination';
import {
  BalancesDto,
  PartnerPayoutDto,
  balancesExample,
  partnerPayoutExample,
  presentBalances,
  presentPartnerPayout,
} from '../payouts/payouts.dto';
import { balancesOf, listPartnerPayouts, participationsOf } from '../payouts/payouts.queries';
import { CommissionStatsDto } from './commission-answers.dto';
import {
  OwnBalancesQuery,
  PartnerCommissionFilter,
  PartnerCommissionListQuery,
} from './commission-filter.dto';
import { listPartnerCommissions } from './commission-list.queries';
import type { CommissionSelection } from './commission-selection';
import { partnerCommissionStats } from './commission-stats.queries';
import { findOwnCommission, findTrail } from './commission-trail.queries';
import { PartnerCommissionDetailDto, PartnerCommissionDto } from './commissions.dto';
import { partnerCommissionDetailExample, partnerCommissionExample, statsExample } from './examples';
import {
  presentPartnerCommission,
  presentPartnerCommissionDetail,
  presentStats,
} from './presenters';

const tag = 'Partner portal';

/** A partner's own commissions, balances and payouts over all programmes of the mode. */
export const partnerCommissionRoutes: Route[] = [
  route.get(
    'listPartnerCommissions',
    '/api/v1/partner/commissions',
    contract(
      {
        summary: 'List your own commissions',
        tag,
        auth: partner(),
        query: PartnerCommissionListQuery,
        responses: {
          200: {
            type: pageOf(PartnerCommissionDto),
            example: toPage([partnerCommissionExample], 1, { page: 1, limit: 20 }),
          },
        },
        errors: ['PROGRAM_NOT_FOUND'],
      },
      async (ctx) => {
        const { query } = ctx.input;
        const selection = await selectionOf(ctx, query);
        const { rows, total } = await listPartnerCommissions(ctx.db, selection, query);
        const data = rows.map((row) => presentPartnerCommission(row, ctx.now));
        ctx.body = toPage(data, total, query);
      },
    ),
  ),

  route.get(
    'getPartnerCommissionStats',
    '/api/v1/partner/commissions/stats',
    contract(
      {
        summary: 'Count and sum your own commissions',
        tag,
        auth: partner(),
        query: PartnerCommissionFilter,
        responses: { 200: { type: CommissionStatsDto, example: statsExample } },
        errors: ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'],
      },
      async (ctx) => {
        const selection = await selectionOf(ctx, ctx.input.query);
        ctx.body = presentStats(await partnerCommissionStats(ctx.db, selection));
      },
    ),
  ),

  route.get(
    'getPartnerCommission',
    '/api/v1/partner/commissions/:commissionId',
    contract(
      {
        summary: 'Read an own commission with its history and ledger',
        tag,
        auth: partner(),
        params: { commissionId: 'COMMISSION_NOT_FOUND' },
        responses: {
          200: { type: PartnerCommissionDetailDto, example: partnerCommissionDetailExample },
        },
        errors: ['COMMISSION_NOT_FOUND'],
      },
      async (ctx) => {
        const { commissionId } = ctx.input.params;
        const who = { partnerId: ctx.principal.accountId, mode: ctx.mode };
        const key = await findOwnCommission(ctx.db, who, commissionId);
        const [record] = key ? await findCommissions(ctx.db, key) : [];
        if (!record) throw new AppError('COMMISSION_NOT_FOUND');
        const trail = await findTrail(ctx.db, record);
        ctx.body = presentPartnerCommissionDetail(record, trail, ctx.now);
      },
    ),
  ),

  route.get(
    'getPartnerBalances',
    '/api/v1/partner/balances',
    contract(
      {
        summary: 'Read what you are owed, by currency',
        tag,
        auth: partner(),
        query: OwnBalancesQuery,
        responses: { 200: { type: BalancesDto, example: balancesExample } },
        errors: ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'],
      },
      async (ctx) => {
        const own = await ownIn(ctx, ctx.input.query.programId);
        const ids = own.map((one) => one.id);
        ctx.body = presentBalances(await balancesOf(ctx.db, ids));
      },
    ),
  ),

  route.get(
    'listPartnerPayouts',
    '/api/v1/partner/payouts',
    contract(
      {
        summary: 'List your own payouts, newest first',
        tag,
        auth: partner(),
        query: PageQuery,
        responses: {
          200: {
            type: pageOf(PartnerPayoutDto),
            example: toPage([partnerPayoutExample], 1, { page: 1, limit: 20 }),
          },
        },
      },
      async (ctx) => {
        const own = await ownParticipations(ctx);
        const ids = own.map((one) => one.id);
        const { rows, total } = await listPartnerPayouts(ctx.db, ids, ctx.input.query);
        ctx.body = toPage(rows.map(presentPartnerPayout), total, ctx.input.query);
      },
    ),
  ),
];

interface PartnerContext {
  db: Db;
  mode: Mode;
  principal: { accountId: string };
}

async function selectionOf(
  ctx: PartnerContext,
  filter: PartnerCommissionFilter,
): Promise<CommissionSelection> {
  const { programId, search, ...narrowed } = filter;
  const own = await ownIn(ctx, programId, search);
  return {
    programIds: own.map((one) => one.programId),
    participantIds: own.map((one) => one.id),
    filter: narrowed,
  };
}

/** Of one programme, or of all. PROGRAM_NOT_FOUND for one that the partner is not in. */
async function ownIn(
  ctx: PartnerContext,
  programId?: string,
  search?: string,
): ReturnType<typeof participationsOf> {
  const isOf = (one: { programId: string }): boolean => one.programId === programId;
  const all = await ownParticipations(ctx);
  if (programId && !all.some(isOf)) throw new AppError('PROGRAM_NOT_FOUND');
  const found = search ? await ownParticipations(ctx, search) : all;
  return programId ? found.filter(isOf) : found;
}

function ownParticipations(
  ctx: PartnerContext,
  search?: string,
): ReturnType<typeof participationsOf> {
  return participationsOf(ctx.db, { partnerId: ctx.principal.accountId, mode: ctx.mode, search });
}
