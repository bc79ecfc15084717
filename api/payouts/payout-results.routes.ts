import { commandContextOf } from '../../activities/journal/cause';
import { hasPayout } from '../../activities/payouts/records';
import { previewResults, reportResults } from '../../activities/payouts/results';
import { AppError } from '../../entities/errors';
import { merchant } from '../http/contract/credential';
import { programOfRow } from '../access';
import { routesOf, type Route } from '../http/contract/route';
import { QueryFlag } from '../http/contract/validators';
import { PayoutResultsDto, presentResults } from './payout-results.dto';
import { readResults } from './read-results';

const route = routesOf('Payouts');

class ResultsQuery {
  @QueryFlag({ optional: true, description: 'false books what fits; by default it is only told.' })
  dryRun = true;
}

/** What became of a payout's items, as a file tells it (docs/reference/payouts.md, Results). */
export const payoutResultRoutes: Route[] = [
  route.post(
    '/api/v1/payouts/:id/results',
    {
      name: 'reportPayoutResults',
      summary: 'Upload what became of the items',
      description: [
        'A CSV file of at most 2 MiB and 50,000 rows with a header: `itemReference,status,transactionId,reason`',
        "(paid, failed or returned), or PayPal's report; commas, semicolons or tabs; UTF-8, or UTF-16 with",
        'its mark. With `dryRun=false` all that fits is booked in one transaction; the same file again',
        'changes nothing. One at a time of an account: another one gets 429 with Retry-After.',
      ].join(' '),
      auth: merchant('admin'),
      params: { id: 'PAYOUT_NOT_FOUND' },
      programOf: programOfRow('payouts', 'id'),
      query: ResultsQuery,
      raw: 2 * 1024 * 1024,
      rawType: 'text/csv',
      responses: { 200: { type: PayoutResultsDto } },
    },
    async (ctx) => {
      const { dryRun } = ctx.input.query;
      const { id: payoutId } = ctx.input.params;
      const { principal, rawBody } = ctx;
      if (!(await hasPayout(ctx.db, ctx.scope, payoutId))) throw new AppError('PAYOUT_NOT_FOUND');
      const holder = 'apiKeyId' in principal ? principal.apiKeyId : principal.accountId;
      ctx.body = await ctx.services.reports.run(holder, async () => {
        const results = await readResults(rawBody);
        const stores = { db: ctx.db, vault: ctx.deps.vault };
        const context = commandContextOf(ctx);
        const report = dryRun ? previewResults : reportResults;
        const judged = await report(stores, context, { payoutId, results });
        return presentResults({ dryRun, rows: results.length, ...judged });
      });
    },
  ),
];
