import { AppError } from '../../entities/errors';
import { importColumns, isImportKind } from '../../entities/rules/imports/kinds';
import { programOf } from '../access';
import { member } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { QueryFlag } from '../http/contract/validators';
import { exportBound, sendExport } from '../http/server/csv';
import { exportedRows } from './rows';

const route = routesOf('Imports');

class ExportQuery {
  @QueryFlag({ optional: true, description: 'partners with the addresses that they are paid at.' })
  includePayout = false;
}

/** Leaving, any day (docs/reference/imports.md, Leaving). */
export const programExportRoutes: Route[] = [
  route.get(
    '/api/v1/programs/:programId/export/:kind',
    {
      name: 'exportProgram',
      summary: 'Export what a programme has, as CSV',
      description: `partners, links, customers or commissions, oldest first, in the very columns in which an import takes them. It leaves an audit line. ${exportBound}`,
      auth: member('admin'),
      params: { programId: 'PROGRAM_NOT_FOUND', kind: { text: 'NOT_FOUND' } },
      query: ExportQuery,
      responses: {
        200: {
          contentType: 'text/csv',
          example:
            'partner_id,token,kind,url\r\n0198c0de-2000-7000-8000-000000000002,anna,link,\r\n',
        },
      },
      errors: ['NOT_FOUND'],
    },
    async (ctx) => {
      const { programId, kind } = ctx.input.params;
      await programOf(ctx, programId);
      if (!isImportKind(kind)) throw new AppError('NOT_FOUND');
      const { includePayout } = ctx.input.query;
      const action = includePayout ? 'program.exported_with_payout' : 'program.exported';
      const file = { name: `${kind}.csv`, columns: importColumns[kind], action } as const;
      const leaving = { programId, includePayout, vault: ctx.deps.vault };
      await sendExport(ctx, file, () => Promise.resolve(exportedRows[kind](leaving)));
    },
  ),
];
