import { commandContextOf } from '../../activities/journal/cause';
import { choiceAnew, choiceOf } from '../../activities/imports/begin';
import { checkImport } from '../../activities/imports/check';
import {
  cancelImport,
  changeImport,
  createImport,
  getImport,
  listImports,
} from '../../activities/imports/imports';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { PageQuery, pageAnswer, toPage, windowOf } from '../http/contract/pagination';
import { routesOf, type Route } from '../http/contract/route';
import { createProblems, importProblems } from './body-problems';
import {
  ChangeImportBody,
  CreateImportBody,
  draftOf,
  ImportDto,
  patchOf,
  presentImport,
} from './imports.dto';

const route = routesOf('Imports');
const path = '/api/v1/programs/:programId/imports';
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const one = { ...params, importId: 'IMPORT_NOT_FOUND' } as const;
const answer = { type: ImportDto };

/** Moving in from another system (docs/reference/imports.md). */
export const importRoutes: Route[] = [
  route.post(
    path,
    {
      name: 'createImport',
      summary: 'Begin an import of an existing programme',
      description:
        'Partners, links, customers and commissions of another system. A draft: give it files, or the key of a source that is read by its API, have it checked, then apply it. One of a programme is open at a time.',
      auth: merchant('admin'),
      params,
      body: CreateImportBody,
      check: createProblems,
      responses: { 201: answer },
      errors: ['IMPORT_OPEN', 'IMPORT_KEY_REJECTED', 'IMPORT_CHOICE', 'PROGRAM_ARCHIVED'],
      prepare: async (ctx) => {
        await programOf(ctx, ctx.input.params.programId);
        const draft = draftOf(ctx.input.body);
        return { ...draft, only: await choiceOf(ctx.deps, draft) };
      },
    },
    async (ctx, draft) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const made = await createImport(stores, commandContextOf(ctx), { programId, draft });
      ctx.status = 201;
      ctx.set('Location', `/api/v1/programs/${programId}/imports/${made.id}`);
      ctx.body = presentImport(made);
    },
  ),

  route.get(
    path,
    {
      name: 'listImports',
      summary: 'List the imports of a programme',
      description: 'Newest first.',
      auth: merchant('admin'),
      params,
      query: PageQuery,
      responses: pageAnswer(ImportDto),
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const window = { programId, ...windowOf(ctx.input.query) };
      ctx.body = toPage(ctx, await listImports(ctx.db, ctx.scope, window), presentImport);
    },
  ),

  route.get(
    `${path}/:importId`,
    {
      name: 'getImport',
      summary: 'Read an import',
      description: 'Its status, how far it has come, and the report of its check or its booking.',
      auth: merchant('admin'),
      params: one,
      responses: { 200: answer },
    },
    async (ctx) => {
      await programOf(ctx, ctx.input.params.programId);
      ctx.body = presentImport(await getImport(ctx.db, ctx.scope, ctx.input.params));
    },
  ),

  route.patch(
    `${path}/:importId`,
    {
      name: 'changeImport',
      summary: 'Change what an import takes',
      description: 'Makes it a draft again: what was checked has to be checked anew.',
      auth: merchant('admin'),
      params: one,
      body: ChangeImportBody,
      check: importProblems,
      responses: { 200: answer },
      errors: ['IMPORT_INVALID_STATE', 'IMPORT_KEY_REJECTED', 'IMPORT_CHOICE', 'PROGRAM_ARCHIVED'],
      prepare: async (ctx) => {
        await programOf(ctx, ctx.input.params.programId);
        const patch = patchOf(ctx.input.body);
        const stores = { ...ctx.deps, db: ctx.db };
        const only = await choiceAnew(stores, ctx.scope, { ...ctx.input.params, patch });
        return { ...patch, only };
      },
    },
    async (ctx, patch) => {
      await programOf(ctx, ctx.input.params.programId);
      const command = { ...ctx.input.params, patch };
      ctx.body = presentImport(await changeImport(ctx.db, commandContextOf(ctx), command));
    },
  ),

  route.post(
    `${path}/:importId/check`,
    {
      name: 'checkImport',
      summary: 'Read an import and tell what it would bring',
      description:
        'In the background: reading, then checked with a report, or failed. It changes nothing but the import.',
      auth: merchant('admin'),
      params: one,
      responses: { 202: answer },
      errors: ['IMPORT_INVALID_STATE', 'IMPORT_EMPTY', 'IMPORT_KEY_REJECTED', 'PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      await programOf(ctx, ctx.input.params.programId);
      await checkImport(ctx.db, commandContextOf(ctx), ctx.input.params);
      ctx.status = 202;
      ctx.body = presentImport(await getImport(ctx.db, ctx.scope, ctx.input.params));
    },
  ),

  route.post(
    `${path}/:importId/cancel`,
    {
      name: 'cancelImport',
      summary: 'Cancel an import, or stop it between two batches',
      description:
        'A draft, one that is read, checked or has failed is cancelled. One that is being booked is stopped: applying it again goes on, undoing it takes back what was booked.',
      auth: merchant('admin'),
      params: one,
      responses: { 202: answer },
      errors: ['IMPORT_INVALID_STATE'],
    },
    async (ctx) => {
      await programOf(ctx, ctx.input.params.programId);
      const ended = await cancelImport(ctx.db, commandContextOf(ctx), ctx.input.params);
      ctx.status = 202;
      ctx.body = presentImport(ended);
    },
  ),
];
