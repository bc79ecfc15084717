import Router from '@koa/router';
import { causeOf } from '../../activities/cause';
import {
  archiveProgram,
  createProgram,
  replaceCommissionRules,
  updateProgram,
} from '../../activities/programs.activities';
import { AppError } from '../../entities/errors';
import { commissionRuleOf } from '../../entities/rules/program-terms';
import { programOf } from '../access';
import { merchant, open } from '../http/auth';
import { contract } from '../http/contract';
import { PageQuery, pageOf, toPage } from '../http/pagination';
import {
  CommissionRulesDto,
  commissionRulesBodyProblems,
  commissionRulesExample,
  presentCommissionRules,
} from './commission-rules.dto';
import {
  CreateProgramBody,
  ProgramDto,
  PublicProgramDto,
  UpdateProgramBody,
  newProgramOf,
  presentProgram,
  presentPublicProgram,
  programExample,
  programPatchOf,
  programProblems,
  publicProgramExample,
} from './programs.dto';
import { findPublicProgram, listPrograms } from './programs.queries';

const tag = 'Programs';
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const one = { 200: { type: ProgramDto, example: programExample } };

/** Programmes and their commission rules (contract part 3). */
export function programRoutes(): Router {
  const router = new Router();
  addCollection(router);
  addProgram(router);
  addCommissionRules(router);
  addPublicRead(router);
  return router;
}

function addCollection(router: Router): void {
  router.post(
    'createProgram',
    '/api/v1/programs',
    contract(
      {
        summary: 'Create a programme',
        tag,
        description: 'In the current mode. Only name, websiteUrl and commission have no default.',
        auth: merchant('admin'),
        body: CreateProgramBody,
        check: programProblems,
        responses: { 201: { type: ProgramDto, example: programExample } },
      },
      async (ctx) => {
        const input = newProgramOf(ctx.input.body);
        const program = await createProgram(ctx.db, ctx.scope, { ...causeOf(ctx), input });
        ctx.status = 201;
        ctx.set('Location', `/api/v1/programs/${program.id}`);
        ctx.body = presentProgram(program);
      },
    ),
  );

  router.get(
    'listPrograms',
    '/api/v1/programs',
    contract(
      {
        summary: 'List the programmes of the current mode',
        tag,
        auth: merchant('viewer'),
        query: PageQuery,
        responses: {
          200: {
            type: pageOf(ProgramDto),
            example: toPage([programExample], 1, { page: 1, limit: 20 }),
          },
        },
      },
      async (ctx) => {
        const { rows, total } = await listPrograms(ctx.db, ctx.scope, ctx.input.query);
        ctx.body = toPage(rows.map(presentProgram), total, ctx.input.query);
      },
    ),
  );
}

function addProgram(router: Router): void {
  router.get(
    'getProgram',
    '/api/v1/programs/:programId',
    contract(
      {
        summary: 'Read a programme',
        tag,
        auth: merchant('viewer'),
        params,
        responses: one,
        errors: ['PROGRAM_NOT_FOUND'],
      },
      async (ctx) => {
        ctx.body = presentProgram(await programOf(ctx, ctx.input.params.programId));
      },
    ),
  );

  router.patch(
    'updateProgram',
    '/api/v1/programs/:programId',
    contract(
      {
        summary: 'Change a programme',
        tag,
        description:
          'Any of the fields; commission is replaced as a whole. Existing commissions keep their terms.',
        auth: merchant('admin'),
        params,
        body: UpdateProgramBody,
        check: programProblems,
        responses: one,
        errors: ['PROGRAM_NOT_FOUND', 'PROGRAM_ARCHIVED', 'PROGRAM_CURRENCY_FIXED'],
      },
      async (ctx) => {
        const program = await programOf(ctx, ctx.input.params.programId);
        const patch = programPatchOf(ctx.input.body);
        const changed = await updateProgram(ctx.db, program.id, { ...causeOf(ctx), patch });
        ctx.body = presentProgram(changed);
      },
    ),
  );

  router.post(
    'archiveProgram',
    '/api/v1/programs/:programId/archive',
    contract(
      {
        summary: 'Archive a programme, for good',
        tag,
        auth: merchant('admin'),
        params,
        responses: one,
        errors: ['PROGRAM_NOT_FOUND', 'PROGRAM_ARCHIVED'],
      },
      async (ctx) => {
        const program = await programOf(ctx, ctx.input.params.programId);
        ctx.body = presentProgram(await archiveProgram(ctx.db, program.id, causeOf(ctx)));
      },
    ),
  );
}

function addCommissionRules(router: Router): void {
  const path = '/api/v1/programs/:programId/commission-rules';
  const responses = { 200: { type: CommissionRulesDto, example: commissionRulesExample } };

  router.get(
    'getCommissionRules',
    path,
    contract(
      {
        summary: 'Read the commission rules, in order',
        tag,
        auth: merchant('viewer'),
        params,
        responses,
        errors: ['PROGRAM_NOT_FOUND'],
      },
      async (ctx) => {
        const program = await programOf(ctx, ctx.input.params.programId);
        ctx.body = presentCommissionRules(program.rules);
      },
    ),
  );

  router.put(
    'replaceCommissionRules',
    path,
    contract(
      {
        summary: 'Replace the commission rules',
        tag,
        description: 'All or nothing. Existing commissions keep the terms that applied to them.',
        auth: merchant('admin'),
        params,
        body: CommissionRulesDto,
        check: commissionRulesBodyProblems,
        responses,
        errors: ['PROGRAM_NOT_FOUND', 'PROGRAM_ARCHIVED'],
      },
      async (ctx) => {
        const program = await programOf(ctx, ctx.input.params.programId);
        const rules = ctx.input.body.rules.map(commissionRuleOf);
        const stored = await replaceCommissionRules(ctx.db, program.id, { ...causeOf(ctx), rules });
        ctx.body = presentCommissionRules(stored);
      },
    ),
  );
}

function addPublicRead(router: Router): void {
  router.get(
    'getPublicProgram',
    '/api/v1/public/programs/:programId',
    contract(
      {
        summary: 'Read an active programme that takes applications',
        tag,
        description: 'For a page that partners are sent to. No credential.',
        auth: open(),
        params,
        responses: { 200: { type: PublicProgramDto, example: publicProgramExample } },
        errors: ['PROGRAM_NOT_FOUND'],
      },
      async (ctx) => {
        const program = await findPublicProgram(ctx.db, ctx.input.params.programId);
        if (!program) throw new AppError('PROGRAM_NOT_FOUND');
        ctx.body = presentPublicProgram(program);
      },
    ),
  );
}
