import { commandContextOf } from '../../activities/journal/cause';
import { noteExport } from '../../activities/journal/exports';
import { programOf } from '../access';
import { contract } from '../http/contract/contract';
import { merchant } from '../http/contract/credential';
import { pageOf, toPage } from '../http/contract/pagination';
import { route, type Route } from '../http/contract/route';
import { exportBound, sendCsv } from '../http/server/csv';
import {
  StatementEntriesQuery,
  StatementEntryDto,
  StatementQuery,
  StatementRowDto,
  presentStatementEntry,
  presentStatementRow,
  statementCells,
  statementColumns,
  statementCsvExample,
  statementEntryExample,
  statementPath,
  statementRowExample,
} from './statement.dto';
import { listStatement, listStatementEntries, statementPage } from './statement.queries';

const tag = 'Payouts';
const firstPage = { page: 1, limit: 20 };

/** What was paid, came back and was adjusted in a year (docs/reference/payouts.md, A year's statement). */
export const statementRoutes: Route[] = [
  route.get(
    'listPayoutStatement',
    statementPath,
    contract(
      {
        summary: 'Read what was paid in a year',
        tag,
        description:
          'One row a partner of a programme, month and currency in which something was paid, came back ' +
          `or was adjusted. With \`format=csv\` the whole year as a file. ${exportBound}`,
        auth: merchant('admin'),
        query: StatementQuery,
        responses: {
          200: {
            type: pageOf(StatementRowDto),
            example: toPage([statementRowExample], 1, firstPage),
            csvExample: statementCsvExample,
          },
        },
        errors: ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'],
      },
      async (ctx) => {
        const {
          query,
          query: { year, programId },
        } = ctx.input;
        if (programId) await programOf(ctx, programId);
        const statement = { scope: ctx.scope, year, programId };
        if (query.format === 'json') {
          const { rows, total } = await listStatement(ctx.db, statement, query);
          ctx.body = toPage(rows.map(presentStatementRow), total, query);
          return;
        }
        const rows = await ctx.services.exports.open(ctx.principal, async () => {
          await noteExport(ctx.db, commandContextOf(ctx), {
            action: 'statement.exported',
            target: { type: 'workspace', id: ctx.scope.workspaceId },
          });
          return {
            page: (after, limit) => statementPage(statement, after, limit),
            decode: statementCells,
          };
        });
        sendCsv(ctx, { name: `statement-${year}.csv`, columns: statementColumns, rows });
      },
    ),
  ),

  route.get(
    'listPayoutStatementEntries',
    `${statementPath}/entries`,
    contract(
      {
        summary: 'List the ledger entries behind a statement',
        tag,
        description: 'Of a partner and a month, oldest first; rows of the statement lead here.',
        auth: merchant('admin'),
        query: StatementEntriesQuery,
        responses: {
          200: {
            type: pageOf(StatementEntryDto),
            example: toPage([statementEntryExample], 1, firstPage),
          },
        },
        errors: ['PROGRAM_NOT_FOUND'],
      },
      async (ctx) => {
        const { query } = ctx.input;
        if (query.programId) await programOf(ctx, query.programId);
        const { rows, total } = await listStatementEntries(ctx.db, ctx.scope, query);
        ctx.body = toPage(rows.map(presentStatementEntry), total, query);
      },
    ),
  ),
];
