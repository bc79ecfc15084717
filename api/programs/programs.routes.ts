import { commandContextOf } from '../../activities/journal/cause';
import { archiveProgram, createProgram, updateProgram } from '../../activities/programs/programs';
import { findGroup, isDefaultGroup } from '../../activities/programs/group-rows';
import type { Db } from '../../entities/database/sql';
import { applicationsOf } from '../../entities/rules/programs/groups';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import { findOne } from '../../entities/database/find';
import { AppError } from '../../entities/errors';
import { Program } from '../../entities/tables/programs/program.entity';
import { programOf } from '../access';
import { merchant, open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { commissionRuleRoutes } from './commission-rules.routes';
import {
  CreateProgramBody,
  UpdateProgramBody,
  newProgramOf,
  programPatchOf,
  programProblems,
} from './program-bodies.dto';
import {
  ProgramDto,
  PublicProgramDto,
  PublicProgramQuery,
  presentProgram,
  presentPublicProgram,
} from './programs.dto';
import { listPrograms } from './programs.queries';

/** One that takes applications. PROGRAM_NOT_FOUND; GROUP_NOT_FOUND where a group was asked for. */
async function openGroupOf(
  { db, input }: { db: Db; input: { query: PublicProgramQuery } },
  program: Program,
): Promise<ProgramGroup> {
  const { group: asked } = input.query;
  const group = await findGroup(db, program, asked ?? program.id);
  const isDefault = group !== undefined && isDefaultGroup(group);
  if (group && applicationsOf(program, { ...group, isDefault }).isOpen) return group;
  throw new AppError(asked === undefined ? 'PROGRAM_NOT_FOUND' : 'GROUP_NOT_FOUND');
}

const route = routesOf('Programmes');
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const one = { 200: { type: ProgramDto } };

/** Programmes and their commission rules (docs/reference/programmes.md, Terms). */
export const programRoutes: Route[] = [
  route.post(
    '/api/v1/programs',
    {
      name: 'createProgram',
      summary: 'Create a programme',
      description: 'In the current mode. Only name, websiteUrl and commission have no default.',
      auth: merchant('admin'),
      body: CreateProgramBody,
      check: programProblems,
      responses: { 201: { type: ProgramDto } },
    },
    async (ctx) => {
      const input = newProgramOf(ctx.input.body);
      const program = await createProgram(ctx.db, commandContextOf(ctx), input);
      ctx.status = 201;
      ctx.set('Location', `/api/v1/programs/${program.id}`);
      ctx.body = presentProgram(program);
    },
  ),

  route.get(
    '/api/v1/programs',
    {
      name: 'listPrograms',
      summary: 'List the programmes of the current mode',
      description: 'Newest first, archived ones too.',
      auth: merchant('viewer'),
      query: PageQuery,
      responses: pageAnswer(ProgramDto),
    },
    async (ctx) => {
      const found = await listPrograms(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, presentProgram);
    },
  ),

  route.get(
    '/api/v1/programs/:programId',
    {
      name: 'getProgram',
      summary: 'Read a programme',
      description: 'Its terms, rules of attribution, approval and payout settings.',
      auth: merchant('viewer'),
      params,
      responses: one,
    },
    async (ctx) => {
      ctx.body = presentProgram(await programOf(ctx, ctx.input.params.programId));
    },
  ),

  route.patch(
    '/api/v1/programs/:programId',
    {
      name: 'updateProgram',
      summary: 'Change a programme',
      description:
        'Any of the fields; commission is replaced as a whole. Existing commissions keep their terms.',
      auth: merchant('admin'),
      params,
      body: UpdateProgramBody,
      check: programProblems,
      responses: one,
      errors: ['PROGRAM_ARCHIVED', 'PROGRAM_CURRENCY_FIXED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const patch = programPatchOf(ctx.input.body);
      const { notify = true } = ctx.input.body;
      const command = { programId, patch, notify };
      const changed = await updateProgram(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentProgram(changed);
    },
  ),

  route.post(
    '/api/v1/programs/:programId/archive',
    {
      name: 'archiveProgram',
      summary: 'Archive a programme, for good',
      description:
        'Nothing of it can be changed from then on; what was earned is decided, refunded and paid as before.',
      auth: merchant('admin'),
      params,
      responses: one,
      errors: ['PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const archived = await archiveProgram(ctx.db, commandContextOf(ctx), { programId });
      ctx.body = presentProgram(archived);
    },
  ),

  ...commissionRuleRoutes,

  route.get(
    '/api/v1/public/programs/:programId',
    {
      name: 'getPublicProgram',
      summary: 'Read an active programme that takes applications',
      description: 'For a page that partners are sent to. No credential.',
      auth: open(),
      params,
      query: PublicProgramQuery,
      responses: { 200: { type: PublicProgramDto } },
      errors: ['GROUP_NOT_FOUND'],
    },
    async (ctx) => {
      const { programId: id } = ctx.input.params;
      const program = await findOne(ctx.db, Program, { where: { id, status: 'active' } });
      if (!program) throw new AppError('PROGRAM_NOT_FOUND');
      ctx.body = presentPublicProgram(program, await openGroupOf(ctx, program));
    },
  ),
];
