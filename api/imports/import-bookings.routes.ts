import { announcedNames, announceImport } from '../../activities/imports/announce';
import { applyImport } from '../../activities/imports/apply';
import { getImport } from '../../activities/imports/imports';
import { undoImport } from '../../activities/imports/undo';
import { commandContextOf } from '../../activities/journal/cause';
import { previewPartnerAdded } from '../../activities/mail/preview';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import {
  AnyText,
  CurrencyCode,
  Flag,
  Int,
  ListOf,
  Nested,
  Text,
} from '../http/contract/validators';
import { ImportDto, presentImport } from './imports.dto';

const route = routesOf('Imports');
const path = '/api/v1/programs/:programId/imports/:importId';
const params = { programId: 'PROGRAM_NOT_FOUND', importId: 'IMPORT_NOT_FOUND' } as const;
const answer = { type: ImportDto };

export class ExpectedSumDto {
  @CurrencyCode()
  currency!: string;

  @Int()
  openCents!: number;

  @Int()
  paidCents!: number;
}

export class ApplyImportBody {
  @ListOf(() => ExpectedSumDto, {
    max: 200,
    description: 'The sums of the report, typed back: what is booked is what was seen.',
  })
  expected!: ExpectedSumDto[];
}

export class AnnounceImportBody {
  @Text({
    min: 1,
    max: 2_000,
    trim: true,
    optional: true,
    description: 'Your own words in the mail; links in it are taken out.',
  })
  message?: string;

  @Flag({ optional: true, description: 'Only counts, and shows the mail.' })
  dryRun?: boolean;
}

export class AnnouncedMailDto {
  @AnyText()
  subject!: string;

  @AnyText({ description: 'As a reader without HTML sees it, with a link without its token.' })
  text!: string;
}

export class AnnouncedDto {
  @Flag()
  dryRun!: boolean;

  @Int({ description: 'Partners who are, or would be, told.', example: 42 })
  count!: number;

  @Nested(() => AnnouncedMailDto, {
    nullable: true,
    description: 'With dryRun: what they read.',
    example: null,
  })
  mail!: AnnouncedMailDto | null;
}

/** What an import books (docs/reference/imports.md, Booking). */
export const importBookingRoutes: Route[] = [
  route.post(
    `${path}/apply`,
    {
      name: 'applyImport',
      summary: 'Book what was checked',
      description:
        'In the background: applying, then applied, with the report of what was booked. What no longer fits by then is a problem. The same rows again are known, and booked once.',
      auth: merchant('admin'),
      params,
      body: ApplyImportBody,
      responses: { 202: answer },
      errors: [
        'IMPORT_INVALID_STATE',
        'IMPORT_CHANGED',
        'IMPORT_CUTOVER_AHEAD',
        'PROGRAM_ARCHIVED',
      ],
    },
    async (ctx) => {
      await programOf(ctx, ctx.input.params.programId);
      const { expected } = ctx.input.body;
      await applyImport(ctx.db, commandContextOf(ctx), { ...ctx.input.params, expected });
      ctx.status = 202;
      ctx.body = presentImport(await getImport(ctx.db, ctx.scope, ctx.input.params));
    },
  ),

  route.post(
    `${path}/undo`,
    {
      name: 'undoImport',
      summary: 'Take back what an import booked',
      description:
        'For 30 days, in the background: what it made goes and is free again, its ledger lines get opposite ones. Not once something of it was clicked, earned on, refunded, decided by a person, claimed or paid: IMPORT_IN_USE with `counts`.',
      auth: merchant('admin'),
      params,
      responses: { 202: answer },
      errors: ['IMPORT_INVALID_STATE', 'IMPORT_IN_USE', 'IMPORT_OPEN', 'PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      await programOf(ctx, ctx.input.params.programId);
      await undoImport(ctx.db, commandContextOf(ctx), ctx.input.params);
      ctx.status = 202;
      ctx.body = presentImport(await getImport(ctx.db, ctx.scope, ctx.input.params));
    },
  ),

  route.post(
    `${path}/announce`,
    {
      name: 'announceImport',
      summary: 'Tell the partners of an import that they are here',
      description:
        'A claim mail each, once, INVITES_PER_DAY a day, the rest on the days after. Before it nobody is mailed anything. With `dryRun` it is only counted, and the mail is shown.',
      auth: merchant('admin'),
      params,
      body: AnnounceImportBody,
      responses: { 202: { type: AnnouncedDto } },
      errors: ['IMPORT_INVALID_STATE', 'PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { dryRun = false, message } = ctx.input.body;
      const command = { ...ctx.input.params, dryRun, message };
      const count = await announceImport(ctx.db, commandContextOf(ctx), command);
      ctx.status = 202;
      const { workspaceId } = ctx.scope;
      const names = await announcedNames(ctx.db, { programId, workspaceId });
      const { subject, text } = previewPartnerAdded(ctx.deps, {
        ...names,
        ...(message && { message }),
      });
      ctx.body = { dryRun, count, mail: dryRun ? { subject, text } : null } satisfies AnnouncedDto;
    },
  ),
];
