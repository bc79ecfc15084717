import { commandContextOf } from '../../activities/journal/cause';
import { takePayoutFile } from '../../activities/payouts/files';
import {
  payoutFileFormats,
  payoutFiles,
  type PayoutFileFormat,
} from '../../entities/rules/payouts/files';
import { merchant } from '../http/contract/credential';
import { programOfRow } from '../access';
import { routesOf, type Route } from '../http/contract/route';
import { AppError } from '../../entities/errors';
import { CurrencyCode, QueryInt } from '../http/contract/validators';
import { csvText } from '../http/server/csv';

const route = routesOf('Payouts');

class PayoutFileQuery {
  @CurrencyCode({
    optional: true,
    description: 'Which of them; it cannot be left out when the items are in several.',
  })
  currency?: string;

  @QueryInt({ min: 1, max: 10_000, optional: true, description: 'Which of several files.' })
  part = 1;

  @CurrencyCode({
    optional: true,
    description: "What the account at Wise is in; by default the item's.",
  })
  sourceCurrency?: string;
}

/** Files that PayPal and Wise take, and one for others (docs/reference/payouts.md, Files). */
export const payoutFileRoutes: Route[] = [
  route.get(
    '/api/v1/payouts/:id/files/:format',
    {
      name: 'getPayoutFile',
      summary: 'Take a file to pay the items with',
      description: [
        '`format` is paypal (at most 5,000 rows, no header), wise (1,000, paid by e-mail) or generic',
        '(every item that is ready). `X-Items-Left-Out` counts ready items of other methods; `Link`',
        'with `rel="next"` names the next part. An item notes the first file that held it.',
      ].join(' '),
      auth: merchant('admin'),
      params: { id: 'PAYOUT_NOT_FOUND', format: { text: 'NOT_FOUND' } },
      programOf: programOfRow('payouts', 'id'),
      query: PayoutFileQuery,
      responses: {
        200: {
          contentType: 'text/csv',
          description: 'A CSV file (RFC 4180, UTF-8).',
          example: 'anna@partner.example,9.80,USD,po0k3f9a2m7q1x8w5z4b6c,March 2026,PAYPAL\r\n',
        },
      },
      errors: ['PAYOUT_FILE_EMPTY'],
    },
    async (ctx) => {
      const { id: payoutId, format } = ctx.input.params;
      if (!isFormat(format)) throw new AppError('NOT_FOUND');
      const { currency, part, sourceCurrency } = ctx.input.query;
      const command = { payoutId, format, currency, part };
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const { items, note, leftOut, hasNext } = await takePayoutFile(
        stores,
        commandContextOf(ctx),
        command,
      );
      const { columns, rowOf } = payoutFiles[format];
      ctx.type = 'text/csv; charset=utf-8';
      ctx.set('Content-Disposition', `attachment; filename="payout-${format}-${part}.csv"`);
      ctx.set('X-Items-Left-Out', String(leftOut));
      if (hasNext) ctx.set('Link', `<${nextPart(ctx.path, ctx.querystring, part)}>; rel="next"`);
      ctx.body = csvText(
        columns,
        items.map((item) => rowOf(item, { note, sourceCurrency })),
      );
    },
  ),
];

function isFormat(format: string): format is PayoutFileFormat {
  return payoutFileFormats.some((known) => known === format);
}

function nextPart(ownPath: string, query: string, part: number): string {
  const next = new URLSearchParams(query);
  next.set('part', String(part + 1));
  return `${ownPath}?${next.toString()}`;
}
