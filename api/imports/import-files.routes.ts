import { commandContextOf } from '../../activities/journal/cause';
import { keepFile, removeFile, showFiles } from '../../activities/imports/files';
import { getImport } from '../../activities/imports/imports';
import { importProblemRows } from '../../activities/imports/problem-rows';
import { AppError, validationError } from '../../entities/errors';
import { isImportKind } from '../../entities/rules/imports/kinds';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { QueryInt } from '../http/contract/validators';
import { exportBound, sendExport } from '../http/server/csv';
import { ImportFilesDto } from './import-files.dto';
import { readImportFile } from './read-file';

const route = routesOf('Imports');
const path = '/api/v1/programs/:programId/imports/:importId';
const params = { programId: 'PROGRAM_NOT_FOUND', importId: 'IMPORT_NOT_FOUND' } as const;

const maxBytes = 20 * 1024 * 1024;

class PartQuery {
  @QueryInt({ min: 1, max: 20, optional: true, description: 'Of a kind that is more than a file.' })
  part = 1;
}

class GivenPartQuery extends PartQuery {
  @QueryInt({
    min: 0,
    max: 100_000_000,
    optional: true,
    description:
      'Of a file that you cut: lines between its header and the first row of this part. Problems then name the line of the whole file.',
  })
  linesBefore = 0;
}

/** Files of an import, and what is wrong with their rows (docs/reference/imports.md, Files). */
export const importFileRoutes: Route[] = [
  route.put(
    `${path}/files/:kind`,
    {
      name: 'putImportFile',
      summary: 'Give an import a file',
      description:
        'partners, links, customers or commissions, in up to 20 parts of at most 20 MiB and 200,000 rows each: CSV with a header, commas, semicolons or tabs, UTF-8, or UTF-16 with its mark. It takes the place of the same part, and the import is a draft again. Kept encrypted until the import ends, 30 days at most.',
      auth: merchant('admin'),
      params: { ...params, kind: { text: 'NOT_FOUND' } },
      query: GivenPartQuery,
      raw: maxBytes,
      rawType: 'text/csv',
      responses: { 204: {} },
      errors: ['IMPORT_INVALID_STATE', 'PROGRAM_ARCHIVED', 'NOT_FOUND'],
    },
    async (ctx) => {
      const { kind, ...key } = ctx.input.params;
      await programOf(ctx, key.programId);
      if (!isImportKind(kind)) throw new AppError('NOT_FOUND');
      await getImport(ctx.db, ctx.scope, key);
      const { part, linesBefore } = ctx.input.query;
      const { principal } = ctx;
      const holder = 'apiKeyId' in principal ? principal.apiKeyId : principal.accountId;
      await ctx.services.reports.run(holder, async () => {
        const table = readImportFile(ctx.rawBody, linesBefore);
        if (!table) throw validationError('body', 'must be CSV with a header');
        const stores = { db: ctx.db, vault: ctx.deps.vault };
        await keepFile(stores, commandContextOf(ctx), { ...key, kind, part, table });
      });
      ctx.status = 204;
    },
  ),

  route.get(
    `${path}/files`,
    {
      name: 'listImportFiles',
      summary: 'List the files of an import',
      description:
        'What was given so far, with the names of the columns and, of the first part of each kind, cells of the first rows; and what the columns may mean where they look like those of a system that is known, for `mapping` and `statuses`. Files go when the import ends.',
      auth: merchant('admin'),
      params,
      responses: { 200: { type: ImportFilesDto } },
    },
    async (ctx) => {
      await programOf(ctx, ctx.input.params.programId);
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      ctx.body = (await showFiles(stores, ctx.scope, ctx.input.params)) satisfies ImportFilesDto;
    },
  ),

  route.delete(
    `${path}/files/:kind`,
    {
      name: 'removeImportFile',
      summary: 'Take a file of an import away',
      description: 'The import is a draft again.',
      auth: merchant('admin'),
      params: { ...params, kind: { text: 'NOT_FOUND' } },
      query: PartQuery,
      responses: { 204: {} },
      errors: ['IMPORT_INVALID_STATE', 'PROGRAM_ARCHIVED', 'NOT_FOUND'],
    },
    async (ctx) => {
      const { kind, ...key } = ctx.input.params;
      await programOf(ctx, key.programId);
      if (!isImportKind(kind)) throw new AppError('NOT_FOUND');
      const { part } = ctx.input.query;
      await removeFile(ctx.db, commandContextOf(ctx), { ...key, kind, part });
      ctx.status = 204;
    },
  ),

  route.get(
    `${path}/problems`,
    {
      name: 'listImportProblems',
      summary: 'List the rows of an import that are left out, as CSV',
      description: `As long as its rows are kept: until it ends. Without addresses and cells. ${exportBound}`,
      auth: merchant('admin'),
      params,
      responses: {
        200: {
          contentType: 'text/csv',
          example:
            'file,line,id,code,message\r\ncommissions-1,17,c_9,PARTNER_UNKNOWN,No partner of that id is imported.\r\n',
        },
      },
    },
    async (ctx) => {
      await programOf(ctx, ctx.input.params.programId);
      const { id } = await getImport(ctx.db, ctx.scope, ctx.input.params);
      const columns = ['file', 'line', 'id', 'code', 'message'];
      const file = { name: 'problems.csv', columns, action: 'import.problems_exported' } as const;
      await sendExport(ctx, file, () => Promise.resolve(importProblemRows(id)));
    },
  ),
];
