import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commissionFor, judgeTerms, type Sale } from '../../entities/rules/commissions/amount';
import { defaultGroupOf } from '../../entities/rules/programs/groups';
import {
  commissionRuleOf,
  commissionRulesProblems,
  type CommissionRuleInput,
} from '../../entities/rules/programs/terms';

const page = readFileSync(path.join(__dirname, '../../docs/terms.md'), 'utf8');

/** What a line of a deal says of its sale. */
interface Told {
  month?: number;
  number?: number;
  since?: string;
  items?: string[];
  metadata?: Record<string, string>;
  amount?: number;
  group?: string;
  partner?: string;
  eventType?: string;
}

const deals = page
  .split(/^## /m)
  .filter((part) => /^\d/.test(part))
  .map((part) => {
    const [title = ''] = part.split('\n');
    const json = /```json\n([\s\S]+?)```/.exec(part)?.[1] ?? '{}';
    const lines = [...part.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(
      ([, sale = '{}', pays]): [Told, number | null] => [
        JSON.parse(sale) as Told,
        pays === 'nothing' ? null : Number(pays),
      ],
    );
    return { title, lines, ...(JSON.parse(json) as { rules: CommissionRuleInput[] }) };
  });

function saleOf(told: Told): Sale {
  const { month = 0, number = month + 1, since = '2026-01-15T12:00:00.000Z', items } = told;
  const amountCents = told.amount ?? 10_000;
  return {
    eventType: told.eventType ?? 'purchase',
    participantId: told.partner ?? 'somebody',
    currency: 'usd',
    amountCents,
    items: items?.map((product_id) => ({ product_id, price_id: null })) ?? null,
    metadata: told.metadata ?? null,
    rank: amountCents === 0 ? null : { month, number, since: new Date(since) },
  };
}

it('the page has twelve deals', () => {
  expect(deals).toHaveLength(12);
  expect(deals.every(({ lines }) => lines.length >= 2)).toBe(true);
});

it.each(deals)('pays by its rules: $title', ({ rules, lines }) => {
  expect(commissionRulesProblems(rules)).toEqual([]);
  for (const [told, pays] of lines) {
    const sale = saleOf(told);
    const group = { ...defaultGroupOf('all'), id: told.group ?? 'all' };
    const own = { type: 'percentage', rateBps: 2_000, amountCents: null, basis: 'gross' } as const;
    const source = {
      currency: 'usd',
      terms: { ...own, recurring: true, recurringMonths: null },
      rules: rules.map(commissionRuleOf),
      ...{ holdDays: 30, autoApprove: true, group },
    };
    const { terms } = judgeTerms(source, sale);
    const earned = commissionFor(terms, { ...sale, feeCents: null }, 'usd');
    expect([told, earned?.amountCents ?? null]).toEqual([told, pays]);
  }
});
