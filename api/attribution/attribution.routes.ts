import { conversionObject } from '../../activities/conversions/conversion';
import { commandContextOf } from '../../activities/journal/cause';
import { dryRunConversion } from '../../activities/purchases/report-purchase';
import { AppError } from '../../entities/errors';
import { ConversionBody } from '../conversions/conversions.dto';
import { reportOf } from '../conversions/report';
import { secretKeyOrMerchant } from '../http/contract/credential';
import { programOfRow } from '../access';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import {
  DecisionDetailDto,
  DecisionDto,
  DecisionFilter,
  DryRunDto,
  presentTrace,
} from './attribution.dto';
import { findDecision, listDecisions } from './attribution.queries';

const route = routesOf('Attribution');
const auth = secretKeyOrMerchant('viewer', 'INVALID_SECRET_KEY');

/**
 * Why conversions were credited as they were, by secret key or by a member (docs/reference/attribution.md,
 * Signals).
 */
export const attributionRoutes: Route[] = [
  route.get(
    '/api/v1/attribution/decisions',
    {
      name: 'listDecisions',
      summary: 'List attribution decisions, newest first',
      description: 'One for each conversion: who was credited by what, or why nobody was.',
      auth,
      query: DecisionFilter,
      responses: pageAnswer(DecisionDto),
    },
    async (ctx) => {
      const found = await listDecisions(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, (row) => present(DecisionDto, row));
    },
  ),

  route.get(
    '/api/v1/attribution/decisions/:conversionId',
    {
      name: 'getDecision',
      summary: 'Get a decision with everything that was looked at',
      description:
        'The trace names each click, code and binding that was considered, and what spoke against it.',
      auth,
      params: { conversionId: 'NOT_FOUND' },
      programOf: programOfRow('conversions', 'conversionId'),
      responses: { 200: { type: DecisionDetailDto } },
    },
    async (ctx) => {
      const decision = await findDecision(ctx.db, ctx.scope, ctx.input.params.conversionId);
      if (!decision) throw new AppError('NOT_FOUND');
      const trace = presentTrace(decision.trace);
      ctx.body = present(DecisionDetailDto, { ...decision, trace });
    },
  ),

  route.post(
    '/api/v1/attribution/dry-run',
    {
      name: 'dryRunConversion',
      summary: 'See how a conversion would be decided, storing nothing',
      description: [
        'Takes the body of a report and refuses as the report would, but accepts any',
        '`occurred_at`. The ids in the answer belong to nothing.',
      ].join(' '),
      auth: secretKeyOrMerchant('member', 'INVALID_SECRET_KEY'),
      body: ConversionBody,
      responses: { 200: { type: DryRunDto } },
      errors: ['NO_ATTRIBUTION_SIGNAL', 'CONVERSION_DUPLICATE', 'MODE_MISMATCH'],
    },
    async (ctx) => {
      const report = reportOf(ctx.input.body, ctx.deps.vault);
      const tried = await dryRunConversion(ctx.db, commandContextOf(ctx), report);
      ctx.body = { ...conversionObject(tried.record), trace: presentTrace(tried.trace) };
    },
  ),
];
