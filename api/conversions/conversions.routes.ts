import { commandContextOf } from '../../activities/journal/cause';
import { findConversion } from '../../activities/conversions/rows';
import { conversionObject } from '../../activities/conversions/conversion';
import { refundConversion } from '../../activities/purchases/refund';
import { AppError } from '../../entities/errors';
import { secretKeyOrMerchant } from '../http/contract/credential';
import { programOfRow } from '../access';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import {
  ConversionBody,
  ConversionDto,
  ConversionFilter,
  RefundBody,
  RefundDto,
  presentRefund,
} from './conversions.dto';
import { listConversions, listRefunds } from './conversions.queries';
import { reportOf } from './report';

const route = routesOf('Conversions');
const auth = secretKeyOrMerchant('viewer');
const one = {
  params: { conversionId: 'NOT_FOUND' },
  programOf: programOfRow('conversions', 'conversionId'),
} as const;

/**
 * What merchants' servers do with purchases, by secret key, and what members see of it
 * (docs/reference/attribution.md, Duplicates).
 */
export const conversionRoutes: Route[] = [
  route.post(
    '/api/v1/conversions',
    {
      name: 'reportConversion',
      summary: 'Report a conversion',
      description: [
        'Records a purchase and credits the partner whom its click or promo code names. Give at',
        'least one of the two. A signal that leads nowhere is no error: the conversion is recorded',
        'with `attributed: false` and the reason. A transaction can be reported once, for ever; a',
        'repeat is 409 with the `Location` of the first. A member may report test sales.',
      ].join(' '),
      auth: secretKeyOrMerchant('member', 'INVALID_API_KEY', 'conversions'),
      body: ConversionBody,
      responses: { 201: { type: ConversionDto } },
      errors: ['NO_ATTRIBUTION_SIGNAL', 'CONVERSION_DUPLICATE', 'MODE_MISMATCH'],
    },
    async (ctx) => {
      // A member, or a key in their place, tries things out; what is real comes from a server.
      const isByServer = ctx.principal.kind === 'secret_key';
      if (!isByServer && ctx.scope.mode === 'live') throw new AppError('FORBIDDEN');
      const report = reportOf(ctx.input.body, ctx.deps.vault);
      const { conversions } = ctx.services;
      const conversion = await conversions.record(ctx.db, commandContextOf(ctx), report);
      ctx.status = 201;
      ctx.set('Location', `/api/v1/conversions/${conversion.id}`);
      ctx.body = conversionObject(conversion);
    },
  ),

  route.get(
    '/api/v1/conversions',
    {
      name: 'listConversions',
      summary: 'List conversions, newest first',
      description:
        'What your servers, Stripe and imports reported, credited or not, each with its commission.',
      auth,
      query: ConversionFilter,
      responses: pageAnswer(ConversionDto),
    },
    async (ctx) => {
      const found = await listConversions(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, conversionObject);
    },
  ),

  route.get(
    '/api/v1/conversions/:conversionId',
    {
      name: 'getConversion',
      summary: 'Get a conversion',
      description: 'With how it was attributed and the commission that it earned.',
      auth,
      ...one,
      responses: { 200: { type: ConversionDto } },
    },
    async (ctx) => {
      const conversion = await findConversion(ctx.db, ctx.scope, ctx.input.params.conversionId);
      if (!conversion) throw new AppError('NOT_FOUND');
      ctx.body = conversionObject(conversion);
    },
  ),

  route.post(
    '/api/v1/conversions/:conversionId/refunds',
    {
      name: 'refundConversion',
      summary: 'Report a refund made outside Stripe',
      description: [
        'The commission and its ledger follow in the same transaction. A repeat of the same',
        '`external_refund_id` answers 200 with the first refund, whatever its amount.',
      ].join(' '),
      auth: secretKeyOrMerchant('member'),
      ...one,
      body: RefundBody,
      responses: {
        201: { type: RefundDto },
        200: { type: RefundDto, description: 'Reported before.' },
      },
      errors: ['REFUND_EXCEEDS_AMOUNT'],
    },
    async (ctx) => {
      const { conversionId } = ctx.input.params;
      const { external_refund_id: externalRefundId, reason = null } = ctx.input.body;
      const { amount_cents: amountCents = null } = ctx.input.body;
      const command = { conversionId, externalRefundId, amountCents, reason };
      const { refund, isNew } = await refundConversion(ctx.db, commandContextOf(ctx), command);
      ctx.status = isNew ? 201 : 200;
      if (isNew) ctx.set('Location', `/api/v1/conversions/${conversionId}/refunds`);
      ctx.body = presentRefund(refund);
    },
  ),

  route.get(
    '/api/v1/conversions/:conversionId/refunds',
    {
      name: 'listRefunds',
      summary: 'List the refunds reported for a conversion, oldest first',
      description: 'Each as it was reported, with its own id and amount.',
      auth,
      ...one,
      query: PageQuery,
      responses: pageAnswer(RefundDto),
    },
    async (ctx) => {
      const { conversionId } = ctx.input.params;
      if (!(await findConversion(ctx.db, ctx.scope, conversionId))) throw new AppError('NOT_FOUND');
      const filter = { ...ctx.input.query, conversionId };
      const found = await listRefunds(ctx.db, ctx.scope, filter);
      ctx.body = toPage(ctx, found, presentRefund);
    },
  ),
];
