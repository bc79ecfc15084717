import Router from '@koa/router';
import { createDecisionBatch } from '../../activities/commissions/decide';
import type { Deps } from '../../activities/runtime/process/deps';
import type { Exporter } from '../../activities/runtime/connections/row-streams';
import { findCommissions } from '../../activities/commissions/records';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';
import { programOf } from '../access';
import { merchant } from '../http/credential';
import { contract } from '../http/contract';
import { sendCsv } from '../http/csv';
import { pageOf, toPage } from '../http/pagination';
import type { ApiServices } from '../http/services';
import { CommissionStatsDto } from './commission-answers.dto';
import { addDecisions } from './commission-decisions.routes';
import { exportColumns, exportPage } from './commission-export.queries';
import {
  AllCommissionsFilter,
  AllCommissionsListQuery,
  CommissionFilter,
  CommissionListQuery,
} from './commission-filter.dto';
import { listCommissions } from './commission-list.queries';
import { programIdsOf, withSearchedNames } from './commission-scope.queries';
import type { ScopedSelection } from './commission-selection';
import { commissionStats } from './commission-stats.queries';
import { findTrail } from './commission-trail.queries';
import { CommissionDetailDto, CommissionDto } from './commissions.dto';
import { commissionDetailExample, commissionExample, csvExample, statsExample } from './examples';
import { presentCommission, presentCommissionDetail, presentStats } from './presenters';

const tag = 'Commissions';
const inProgram = { programId: 'PROGRAM_NOT_FOUND' } as const;

const page = {
  200: {
    type: pageOf(CommissionDto),
    example: toPage([commissionExample], 1, { page: 1, limit: 20 }),
  },
};
const stats = { 200: { type: CommissionStatsDto, example: statsExample } };
const csv = {
  200: {
    contentType: 'text/csv',
    description: 'A CSV file (RFC 4180, UTF-8, with a header row), newest first.',
    example: csvExample,
  },
};

/** Commissions of one programme and across programmes: one selection, read in three ways. */
export function commissionRoutes(deps: Deps): Router {
  const router = new Router();
  addAcrossPrograms(router);
  addOfProgram(router);
  addDecisions(router, createDecisionBatch(deps.db.manager));
  addDetail(router);
  return router;
}

interface ReadContext {
  db: Db;
  scope: Scope;
}

async function selectionOf(
  ctx: ReadContext,
  filter: CommissionFilter,
  programId?: string,
): Promise<ScopedSelection> {
  const programIds = programId
    ? [(await programOf(ctx, programId)).id]
    : await programIdsOf(ctx.db, ctx.scope);
  return { scope: ctx.scope, programIds, filter };
}

interface ExportContext {
  principal: Exporter;
  services: ApiServices;
}

async function sendExport(
  ctx: Parameters<typeof sendCsv>[0] & ReadContext & ExportContext,
  given: ScopedSelection,
): Promise<void> {
  const selection = await withSearchedNames(ctx.db, given);
  const rows = await ctx.services.exports.open(ctx.principal, {
    page: (after, limit) => exportPage(selection, after, limit),
  });
  sendCsv(ctx, { name: 'commissions.csv', columns: exportColumns, rows });
}

function addAcrossPrograms(router: Router): void {
  const path = '/api/v1/commissions';
  const auth = merchant('viewer');
  const errors = ['PROGRAM_NOT_FOUND'] as const;

  router.get(
    'listAllCommissions',
    path,
    contract(
      {
        summary: 'List commissions across programmes',
        tag,
        description: 'All programmes of the current mode, or the one of programId.',
        auth,
        query: AllCommissionsListQuery,
        responses: page,
        errors,
      },
      async (ctx) => {
        const { query } = ctx.input;
        const selection = await selectionOf(ctx, query, query.programId);
        const { rows, total } = await listCommissions(ctx.db, selection, query);
        const data = rows.map((row) => presentCommission(row, ctx.now));
        ctx.body = toPage(data, total, query);
      },
    ),
  );

  router.get(
    'getAllCommissionStats',
    `${path}/stats`,
    contract(
      {
        summary: 'Count and sum commissions across programmes',
        tag,
        auth,
        query: AllCommissionsFilter,
        responses: stats,
        errors: [...errors, 'AMOUNT_TOO_LARGE'],
      },
      async (ctx) => {
        const selection = await selectionOf(ctx, ctx.input.query, ctx.input.query.programId);
        ctx.body = presentStats(await commissionStats(ctx.db, selection));
      },
    ),
  );

  router.get(
    'exportAllCommissions',
    `${path}/export`,
    contract(
      {
        summary: 'Export commissions across programmes as CSV',
        tag,
        auth,
        ownBounds: true,
        query: AllCommissionsFilter,
        responses: csv,
        errors,
      },
      async (ctx) => {
        const selection = await selectionOf(ctx, ctx.input.query, ctx.input.query.programId);
        await sendExport(ctx, selection);
      },
    ),
  );
}

function addOfProgram(router: Router): void {
  const path = '/api/v1/programs/:programId/commissions';
  const auth = merchant('viewer');
  const errors = ['PROGRAM_NOT_FOUND'] as const;

  router.get(
    'listCommissions',
    path,
    contract(
      {
        summary: 'List the commissions of a programme',
        tag,
        description: 'Newest first unless sorted otherwise.',
        auth,
        params: inProgram,
        query: CommissionListQuery,
        responses: page,
        errors,
      },
      async (ctx) => {
        const { query, params } = ctx.input;
        const selection = await selectionOf(ctx, query, params.programId);
        const { rows, total } = await listCommissions(ctx.db, selection, query);
        const data = rows.map((row) => presentCommission(row, ctx.now));
        ctx.body = toPage(data, total, query);
      },
    ),
  );

  router.get(
    'getCommissionStats',
    `${path}/stats`,
    contract(
      {
        summary: 'Count and sum the commissions of a programme',
        tag,
        auth,
        params: inProgram,
        query: CommissionFilter,
        responses: stats,
        errors: [...errors, 'AMOUNT_TOO_LARGE'],
      },
      async (ctx) => {
        const selection = await selectionOf(ctx, ctx.input.query, ctx.input.params.programId);
        ctx.body = presentStats(await commissionStats(ctx.db, selection));
      },
    ),
  );

  router.get(
    'exportCommissions',
    `${path}/export`,
    contract(
      {
        summary: 'Export the commissions of a programme as CSV',
        tag,
        auth,
        ownBounds: true,
        params: inProgram,
        query: CommissionFilter,
        responses: csv,
        errors,
      },
      async (ctx) => {
        const selection = await selectionOf(ctx, ctx.input.query, ctx.input.params.programId);
        await sendExport(ctx, selection);
      },
    ),
  );
}

function addDetail(router: Router): void {
  router.get(
    'getCommission',
    '/api/v1/programs/:programId/commissions/:commissionId',
    contract(
      {
        summary: 'Read a commission with its history and ledger',
        tag,
        auth: merchant('viewer'),
        params: { ...inProgram, commissionId: 'COMMISSION_NOT_FOUND' },
        responses: { 200: { type: CommissionDetailDto, example: commissionDetailExample } },
        errors: ['PROGRAM_NOT_FOUND', 'COMMISSION_NOT_FOUND'],
      },
      async (ctx) => {
        const { programId, commissionId } = ctx.input.params;
        await programOf(ctx, programId);
        const key = { scope: ctx.scope, programId, commissionIds: [commissionId] };
        const [record] = await findCommissions(ctx.db, key);
        if (!record) throw new AppError('COMMISSION_NOT_FOUND');
        const trail = await findTrail(ctx.db, record);
        ctx.body = presentCommissionDetail(record, trail, ctx.now);
      },
    ),
  );
}
