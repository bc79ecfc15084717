import { Readable } from 'node:stream';
import { commandContextOf } from '../../activities/journal/cause';
import { takeTransfers } from '../../activities/payouts/files';
import { findPayout } from '../../activities/payouts/records';
import { createPayout } from '../../activities/payouts/payouts';
import type { PayableFilter } from '../../activities/payouts/payables';
import { previewPayout } from '../../activities/payouts/preview';
import { AppError } from '../../entities/errors';
import { participantOf, programOf, programOfRow } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { sendCsv } from '../http/server/csv';
import { pageAnswer, toPage } from '../http/contract/pagination';
import {
  BalanceQuery,
  BalancesDto,
  CreatePayoutBody,
  CreatedPayoutDto,
  PayoutDetailDto,
  PayoutDto,
  PayoutListQuery,
  PreviewPayoutBody,
  presentCreatedPayout,
  presentPayout,
  presentPayoutDetail,
} from './payouts.dto';
import { PayoutPreviewDto, presentPreview } from './preview.dto';
import { balancesAt } from './balance-at.queries';
import { balancesOf, listPayouts } from './payouts.queries';

const route = routesOf('Payouts');
const path = '/api/v1/payouts';
const params = { id: 'PAYOUT_NOT_FOUND' } as const;

const transferColumns = [
  'partnerName',
  'partnerEmail',
  'currency',
  'amountCents',
  'payoutMethod',
] as const;

async function filterOf(
  ctx: Parameters<typeof programOf>[0],
  { programId, commissionIds, requireMethod, requireConfirmed, until }: PreviewPayoutBody,
): Promise<PayableFilter> {
  const program = await programOf(ctx, programId);
  const approvedBy = until ? new Date(until) : undefined;
  return { program, commissionIds, requireMethod, requireConfirmed, until: approvedBy };
}

/**
 * Payouts, their file for the bank, and what a partner is owed (docs/reference/payouts.md, What a
 * payout takes).
 */
export const payoutRoutes: Route[] = [
  route.post(
    path,
    {
      name: 'createPayout',
      summary: 'Take approved commissions into a payout',
      description:
        'One item a partner and currency, overpayments netted. A partner in debt, or below ' +
        "the programme's minPayoutCents, gets none. At most 10,000 commissions: `remaining` is " +
        'how many are left for the next. Send an Idempotency-Key: a large one takes seconds.',
      auth: merchant('admin'),
      body: CreatePayoutBody,
      responses: { 201: { type: CreatedPayoutDto } },
      errors: ['PROGRAM_NOT_FOUND', 'COMMISSION_NOT_PAYABLE', 'PAYOUT_CHANGED', 'PAYOUT_EMPTY'],
    },
    async (ctx) => {
      const { reference = null, expected } = ctx.input.body;
      const filter = await filterOf(ctx, ctx.input.body);
      const command = { ...filter, reference, expected };
      const payout = await createPayout(ctx.db, commandContextOf(ctx), command);
      ctx.status = 201;
      ctx.set('Location', `${path}/${payout.id}`);
      ctx.body = presentCreatedPayout(payout);
    },
  ),

  route.post(
    `${path}/preview`,
    {
      name: 'previewPayout',
      summary: 'See what a payout would take',
      description:
        'Changes nothing. Give its `until` and `totals` (as `expected`) to the payout, and it takes ' +
        'what was seen here or nothing.',
      auth: merchant('admin'),
      body: PreviewPayoutBody,
      responses: { 200: { type: PayoutPreviewDto } },
      errors: ['PROGRAM_NOT_FOUND', 'COMMISSION_NOT_PAYABLE'],
    },
    async (ctx) => {
      const filter = await filterOf(ctx, ctx.input.body);
      const { until = ctx.now } = filter;
      const preview = await previewPayout(ctx.db, ctx.scope, { ...filter, until });
      ctx.body = presentPreview(preview, until);
    },
  ),

  route.get(
    path,
    {
      name: 'listPayouts',
      summary: 'List payouts, newest first',
      description: 'With what each partner gets by it, and what became of it.',
      auth: merchant('viewer'),
      query: PayoutListQuery,
      responses: pageAnswer(PayoutDto),
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const { query } = ctx.input;
      if (query.programId) await programOf(ctx, query.programId);
      const found = await listPayouts(ctx.db, ctx.scope, query);
      ctx.body = toPage(ctx, found, presentPayout);
    },
  ),

  route.get(
    `${path}/:id`,
    {
      name: 'getPayout',
      summary: 'Read a payout',
      description: 'With every item: partner, method, amount and result.',
      auth: merchant('viewer'),
      params,
      programOf: programOfRow('payouts', 'id'),
      responses: { 200: { type: PayoutDetailDto } },
    },
    async (ctx) => {
      const payout = await findPayout(ctx.db, ctx.scope, ctx.input.params.id);
      if (!payout) throw new AppError('PAYOUT_NOT_FOUND');
      ctx.body = presentPayoutDetail(payout);
    },
  ),

  route.get(
    `${path}/:id/export`,
    {
      name: 'exportPayout',
      summary: 'Export a payout as CSV, for the bank',
      description:
        'One row an item; payoutMethod is how it pays, as JSON. Items that are ready note it as a file. ' +
        'Not of a cancelled payout: a bank would pay it.',
      auth: merchant('admin'),
      params,
      programOf: programOfRow('payouts', 'id'),
      responses: {
        200: {
          contentType: 'text/csv',
          description: 'A CSV file (RFC 4180, UTF-8, with a header row).',
          example: `${transferColumns.join(',')}\r\nAnna Partner,anna@partner.example,usd,980,\r\n`,
        },
      },
      errors: ['PAYOUT_NOT_PROCESSING'],
    },
    async (ctx) => {
      const { id } = ctx.input.params;
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const transfers = await takeTransfers(stores, commandContextOf(ctx), { payoutId: id });
      const rows = transfers.map(({ partnerName, partnerEmail, currency, amountCents, method }) => [
        ...[partnerName, partnerEmail, currency, amountCents],
        method && JSON.stringify(method),
      ]);
      sendCsv(ctx, { name: 'payout.csv', columns: transferColumns, rows: Readable.from(rows) });
    },
  ),

  route.get(
    '/api/v1/programs/:programId/partners/:participantId/balance',
    {
      name: 'getParticipantBalance',
      summary: 'Read what a partner is owed, by currency',
      description: 'Pending, approved, under way, paid, and what is owed back.',
      auth: merchant('viewer'),
      params: { programId: 'PROGRAM_NOT_FOUND', participantId: 'PARTICIPANT_NOT_FOUND' },
      query: BalanceQuery,
      responses: { 200: { type: BalancesDto } },
      errors: ['AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const participant = await participantOf(ctx, ctx.input.params);
      const { at } = ctx.input.query;
      const ids = [participant.id];
      const balances = at ? balancesAt(ctx.db, ids, new Date(at)) : balancesOf(ctx.db, ids);
      ctx.body = { balances: await balances };
    },
  ),
];
