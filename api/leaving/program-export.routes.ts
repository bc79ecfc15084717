import { commandContextOf } from '../../activities/journal/cause';
import { noteExport } from '../../activities/journal/exports';
import { groupRowsOf } from '../../activities/programs/group-rows';
import { bonusesOf } from '../../activities/standings/bonuses';
import { tiersOf } from '../../activities/standings/tiers';
import { AppError } from '../../entities/errors';
import { importColumns, isImportKind } from '../../entities/rules/imports/kinds';
import { programOf } from '../access';
import { member } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { QueryFlag } from '../http/contract/validators';
import { exportBound, sendExport } from '../http/server/csv';
import { exportedRows } from './rows';
import { LeavingTermsDto, presentTerms } from './terms.dto';

const route = routesOf('Imports');

class ExportQuery {
  @QueryFlag({ optional: true, description: 'partners with the addresses that they are paid at.' })
  includePayout = false;
}

/** Leaving, any day (docs/reference/imports.md, Leaving). */
export const programExportRoutes: Route[] = [
  route.get(
    '/api/v1/programs/:programId/export/terms',
    {
      name: 'exportTerms',
      summary: 'Export what a programme offers, as JSON',
      description:
        'Groups with their terms, rules, tiers and bonuses; groups are called by their names. It leaves an audit line.',
      auth: member('admin'),
      params: { programId: 'PROGRAM_NOT_FOUND' },
      responses: { 200: { type: LeavingTermsDto } },
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const { id: programId, rules } = program;
      const target = { type: 'program', id: programId };
      await noteExport(ctx.db, commandContextOf(ctx), { action: 'program.exported', target });
      const groups = await groupRowsOf(ctx.db, program);
      const tiers = await tiersOf(ctx.db, programId);
      const bonuses = await bonusesOf(ctx.db, programId);
      ctx.body = presentTerms({ program, groups, rules, tiers, bonuses });
    },
  ),

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
