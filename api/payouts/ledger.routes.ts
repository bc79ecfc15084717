import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { exportBound, sendExport } from '../http/server/csv';
import {
  LedgerQuery,
  LedgerRowDto,
  ledgerColumns,
  ledgerCsvExample,
  ledgerPath,
} from './ledger.dto';
import { ledgerCells, ledgerPage, listLedger } from './ledger.queries';

const route = routesOf('Payouts');

/** Every entry of the ledger (docs/reference/payouts.md, Books that close). */
export const ledgerRoutes: Route[] = [
  route.get(
    ledgerPath,
    {
      name: 'listLedger',
      summary: 'List the entries of the ledger, newest first',
      description: `What is owed is their sum. Entries are never changed. ${exportBound}`,
      auth: merchant('viewer'),
      query: LedgerQuery,
      responses: {
        200: { ...pageAnswer(LedgerRowDto)[200], csvExample: ledgerCsvExample },
      },
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const { query } = ctx.input;
      if (query.programId) await programOf(ctx, query.programId);
      if (query.format === 'json') {
        const found = await listLedger(ctx.db, ctx.scope, query);
        ctx.body = toPage(ctx, found, (row) => present(LedgerRowDto, row));
        return;
      }
      const file = { name: 'ledger.csv', columns: ledgerColumns };
      await sendExport(ctx, { ...file, action: 'ledger.exported' }, () => ({
        page: (after, limit) => ledgerPage(ctx.scope, query, { after, limit }),
        decode: ledgerCells,
      }));
    },
  ),
];
