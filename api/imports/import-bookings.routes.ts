import { applyImport } from '../../activities/imports/apply';
import { getImport } from '../../activities/imports/imports';
import { commandContextOf } from '../../activities/journal/cause';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { CurrencyCode, Int, ListOf } from '../http/contract/validators';
import { ImportDto, importExample, presentImport } from './imports.dto';

const route = routesOf('Imports');
const path = '/api/v1/programs/:programId/imports/:importId';
const params = { programId: 'PROGRAM_NOT_FOUND', importId: 'IMPORT_NOT_FOUND' } as const;
const answer = { type: ImportDto, example: importExample };

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
];
