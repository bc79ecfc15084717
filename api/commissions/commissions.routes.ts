import { findCommissions } from '../../activities/commissions/records';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { exportBound, sendExport } from '../http/server/csv';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { CommissionStatsDto } from './commission-answers.dto';
import { commissionDecisionRoutes } from './commission-decisions.routes';
import { cellsOf, exportColumns, exportPage } from './commission-export.queries';
import {
  AllCommissionsFilter,
  AllCommissionsListQuery,
  CommissionFilter,
  CommissionListQuery,
} from './commission-filter.dto';
import { listCommissions } from './commission-list.queries';
import { programIdsOf, withSearched } from './commission-scope.queries';
import type { ScopedSelection } from './commission-selection';
import { commissionStats } from './commission-stats.queries';
import { findTrail } from './commission-trail.queries';
import { CommissionDetailDto, CommissionDto } from './commissions.dto';
import { commissionDetailExample, csvExample, statsExample } from './examples';
import { presentCommission, presentCommissionDetail, presentStats } from './presenters';

const route = routesOf('Commissions');
const reading = { auth: merchant('viewer') } as const;
const inProgram = { programId: 'PROGRAM_NOT_FOUND' } as const;
const errors = ['PROGRAM_NOT_FOUND'] as const;
const csv = {
  200: {
    contentType: 'text/csv',
    description: 'A CSV file (RFC 4180, UTF-8, with a header row), newest first.',
    example: csvExample,
  },
};

/** Where commissions are read, and by which filters. */
interface Collection {
  path: string;
  /** Ends each operationId: `listAllCommissions`. */
  word: 'AllCommission' | 'Commission';
  /** The commissions in the words of the summaries: `commissions across programmes`. */
  noun: string;
  description: string;
  params: Partial<typeof inProgram>;
  query: new () => CommissionListQuery & { programId?: string };
  filter: new () => CommissionFilter & { programId?: string };
}

const acrossPrograms: Collection = {
  path: '/api/v1/commissions',
  word: 'AllCommission',
  noun: 'commissions across programmes',
  description: 'All programmes of the current mode, or the one of programId.',
  params: {},
  query: AllCommissionsListQuery,
  filter: AllCommissionsFilter,
};

const ofProgram: Collection = {
  path: '/api/v1/programs/:programId/commissions',
  word: 'Commission',
  noun: 'the commissions of a programme',
  description: 'Newest first unless sorted otherwise.',
  params: inProgram,
  query: CommissionListQuery,
  filter: CommissionFilter,
};

/** Commissions of one programme and across programmes: one selection, read in three ways. */
export const commissionRoutes: Route[] = [
  ...readsOf(acrossPrograms),
  ...readsOf(ofProgram),
  ...commissionDecisionRoutes,

  route.get(
    '/api/v1/programs/:programId/commissions/:commissionId',
    {
      name: 'getCommission',
      ...reading,
      summary: 'Read a commission with its history and ledger',
      description: 'Every change with who made it and why, and every amount that was booked.',
      params: { ...inProgram, commissionId: 'COMMISSION_NOT_FOUND' },
      responses: { 200: { type: CommissionDetailDto, example: commissionDetailExample } },
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
];

function readsOf(collection: Collection): Route[] {
  return [listOf(collection), statsOf(collection), exportOf(collection)];
}

function listOf({ path, word, noun, description, params, query }: Collection): Route {
  return route.get(
    path,
    {
      name: `list${word}s`,
      ...reading,
      summary: `List ${noun}`,
      description,
      params,
      query,
      responses: pageAnswer(CommissionDto),
      errors,
    },
    async (ctx) => {
      const window = ctx.input.query;
      const found = await listCommissions(ctx.db, await selectionOf(ctx), window);
      ctx.body = toPage(ctx, found, (row) => presentCommission(row, ctx.now));
    },
  );
}

function statsOf({ path, word, noun, params, filter }: Collection): Route {
  return route.get(
    `${path}/stats`,
    {
      name: `get${word}Stats`,
      ...reading,
      summary: `Count and sum ${noun}`,
      description: 'By status and currency, narrowed as the list is.',
      params,
      query: filter,
      responses: { 200: { type: CommissionStatsDto, example: statsExample } },
      errors: [...errors, 'AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      ctx.body = presentStats(await commissionStats(ctx.db, await selectionOf(ctx)));
    },
  );
}

function exportOf({ path, word, noun, params, filter }: Collection): Route {
  return route.get(
    `${path}/export`,
    {
      name: `export${word}s`,
      ...reading,
      summary: `Export ${noun} as CSV`,
      description: exportBound,
      params,
      query: filter,
      responses: csv,
      errors,
    },
    async (ctx) => {
      const given = await selectionOf(ctx);
      const file = { name: 'commissions.csv', columns: exportColumns };
      await sendExport(ctx, { ...file, action: 'commissions.exported' }, async () => {
        const selection = await withSearched(ctx.db, given);
        return { page: (after, limit) => exportPage(selection, after, limit), decode: cellsOf };
      });
    },
  );
}

interface FilterContext {
  db: Db;
  scope: Scope;
  input: { params: { programId?: string }; query: CommissionFilter & { programId?: string } };
}

async function selectionOf(ctx: FilterContext): Promise<ScopedSelection> {
  const filter = ctx.input.query;
  const programId = ctx.input.params.programId ?? filter.programId;
  const programIds = programId
    ? [(await programOf(ctx, programId)).id]
    : await programIdsOf(ctx.db, ctx.scope);
  return { scope: ctx.scope, programIds, filter };
}
