import { parse } from 'csv-parse/sync';
import { commandContextOf } from '../../activities/journal/cause';
import { reportResults } from '../../activities/payouts/results';
import { hasPayout } from '../../activities/payouts/records';
import { AppError, validationError } from '../../entities/errors';
import {
  resultReader,
  type Result,
  type ResultProblem,
  type ResultRow,
} from '../../entities/rules/payouts/results';
import { merchant } from '../http/contract/credential';
import { decode } from '../http/contract/body/body';
import { programOfRow } from '../access';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { QueryFlag } from '../http/contract/validators';
import { PayoutResultsDto, ResultChangeDto, payoutResultsExample } from './payout-results.dto';

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
        'A CSV file of at most 5 MiB with a header: `itemReference,status,transactionId,reason`',
        "(paid, failed or returned), or PayPal's report. With `dryRun=false` all that fits is booked",
        'in one transaction; the same file again changes nothing.',
      ].join(' '),
      auth: merchant('admin'),
      params: { id: 'PAYOUT_NOT_FOUND' },
      programOf: programOfRow('payouts', 'id'),
      query: ResultsQuery,
      raw: 5 * 1024 * 1024,
      rawType: 'text/csv',
      responses: { 200: { type: PayoutResultsDto, example: payoutResultsExample } },
    },
    async (ctx) => {
      const { dryRun } = ctx.input.query;
      const { id: payoutId } = ctx.input.params;
      if (!(await hasPayout(ctx.db, ctx.scope, payoutId))) throw new AppError('PAYOUT_NOT_FOUND');
      const results = readResults(decode(ctx.rawBody));
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const command = { payoutId, results, isDryRun: dryRun };
      const judged = await reportResults(stores, commandContextOf(ctx), command);
      ctx.body = {
        dryRun,
        rows: results.length,
        changes: judged.changes.map((change) => present(ResultChangeDto, change)),
        unchanged: judged.unchanged,
        problems: judged.problems,
      };
    },
  ),
];

function readResults(text: string): (Result | ResultProblem)[] {
  const [header, ...rows] = rowsOf(text);
  const read = header && resultReader(header.cells);
  if (!read) {
    throw validationError(
      'body',
      'must be CSV with a header: itemReference and status, or the columns of a report of PayPal',
    );
  }
  return rows.map(read);
}

interface Parsed {
  record: string[];
  info: { lines: number };
}

function rowsOf(text: string): ResultRow[] {
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true };
    const parsed = parse(text, options) as unknown as Parsed[];
    return parsed.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch {
    throw validationError('body', 'is not valid CSV');
  }
}
