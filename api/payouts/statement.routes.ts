import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { pageAnswer, toPage, windowOf } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { exportBound, sendExport } from '../http/server/csv';
import {
  StatementEntriesQuery,
  StatementEntryDto,
  StatementDto,
  StatementQuery,
  monthsOf,
  presentStatementRow,
  statementCells,
  statementColumns,
  statementCsvExample,
  statementPath,
} from './statement.dto';
import { listStatement, listStatementEntries, statementPage } from './statement.queries';

const route = routesOf('Payouts');

/** What was owed, moved and is owed (docs/reference/payouts.md, Books that close). */
export const statementRoutes: Route[] = [
  route.get(
    statementPath,
    {
      name: 'listPayoutStatement',
      summary: 'Read what was owed, moved and is owed, by month',
      description:
        'One row a partner of a programme, month and currency in which something moved or was owed: the ' +
        'closing is the opening and all between, and the opening of the next month. A month that is ' +
        `over stays what it was. With \`format=csv\` all of it as a file, the totals last. ${exportBound}`,
      auth: merchant('viewer'),
      query: StatementQuery,
      responses: {
        200: { type: StatementDto, csvExample: statementCsvExample },
      },
      errors: ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const { query } = ctx.input;
      const { year, programId } = query;
      if (programId) await programOf(ctx, programId);
      const statement = { scope: ctx.scope, months: monthsOf(query, ctx.now), programId };
      if (query.format === 'json') {
        const { totals, ...found } = await listStatement(ctx.db, statement, windowOf(query));
        ctx.body = { ...toPage(ctx, found, presentStatementRow), totals };
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
      deprecated: true,
      summary: 'List the ledger entries behind a statement',
      description:
        'Of a partner and a month, oldest first. Deprecated: the ledger lists all entries.',
      auth: merchant('viewer'),
      query: StatementEntriesQuery,
      responses: pageAnswer(StatementEntryDto),
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
