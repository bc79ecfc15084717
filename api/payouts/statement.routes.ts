import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { exportBound, sendExport } from '../http/server/csv';
import {
  StatementEntriesQuery,
  StatementEntryDto,
  StatementQuery,
  StatementRowDto,
  presentStatementRow,
  statementCells,
  statementColumns,
  statementCsvExample,
  statementEntryExample,
  statementPath,
  statementRowExample,
} from './statement.dto';
import { listStatement, listStatementEntries, statementPage } from './statement.queries';

const route = routesOf('Payouts');

/** What was paid, came back and was adjusted in a year (docs/reference/payouts.md, A year's statement). */
export const statementRoutes: Route[] = [
  route.get(
    statementPath,
    {
      name: 'listPayoutStatement',
      summary: 'Read what was paid in a year',
      description:
        'One row a partner of a programme, month and currency in which something was paid, came back ' +
        `or was adjusted. With \`format=csv\` the whole year as a file. ${exportBound}`,
      auth: merchant('admin'),
      query: StatementQuery,
      responses: {
        200: {
          ...pageAnswer(StatementRowDto, statementRowExample)[200],
          csvExample: statementCsvExample,
        },
      },
      errors: ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const { query } = ctx.input;
      const { year, programId } = query;
      if (programId) await programOf(ctx, programId);
      const statement = { scope: ctx.scope, year, programId };
      if (query.format === 'json') {
        const found = await listStatement(ctx.db, statement, query);
        ctx.body = toPage(ctx, found, presentStatementRow);
        return;
      }
      const file = { name: `statement-${year}.csv`, columns: statementColumns };
      await sendExport(ctx, { ...file, action: 'statement.exported' }, () => ({
        page: (after, limit) => statementPage(statement, after, limit),
        decode: statementCells,
      }));
    },
  ),

  route.get(
    `${statementPath}/entries`,
    {
      name: 'listPayoutStatementEntries',
      summary: 'List the ledger entries behind a statement',
      description: 'Of a partner and a month, oldest first; rows of the statement lead here.',
      auth: merchant('admin'),
      query: StatementEntriesQuery,
      responses: pageAnswer(StatementEntryDto, statementEntryExample),
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const { query } = ctx.input;
      if (query.programId) await programOf(ctx, query.programId);
      const found = await listStatementEntries(ctx.db, ctx.scope, query);
      ctx.body = toPage(ctx, found, (entry) => present(StatementEntryDto, entry));
    },
  ),
];
