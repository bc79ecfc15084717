import type { Fields } from '../session/operations';
import { useAnswer } from '../session/use-session';
import { text } from '../text/en';
import { decimalsOf } from '../../entities/rules/values/currency';
import { Chart } from './chart';
import { formatCount, formatDay, formatMoney, moveDay } from './format';
import { Loaded } from './page';
import { Table, type Column } from './table';

type TrendCall = 'analytics.getTrend' | 'partnerPortal.getTrend';

type TrendAsks = { [N in TrendCall]: { call: N; fields: Fields<N> } }[TrendCall];

type TrendProps = TrendAsks & {
  title: string;
  /** The words in place of the lines, where there is nothing to draw. */
  empty?: string;
  /** Whether as many days before are drawn beside it. */
  isCompared?: boolean;
};

/** A line over days, beside it the time before, and the same figures as a table. */
export function Trend({ call, fields, title, empty, isCompared = false }: TrendProps) {
  const trend = useAnswer<TrendCall>(call, fields);
  const earlierFields = isCompared && { ...fields, ...spanBefore(fields) };
  const before = useAnswer<TrendCall>(call, earlierFields);
  const isMoney = fields.metric === 'revenue';
  return (
    <Loaded query={trend}>
      {({ currency, buckets }) => {
        const inWords = (value: number): string =>
          isMoney ? formatMoney(value, currency) : formatCount(value);
        const earlier = before.data?.buckets ?? [];
        const days = buckets.map((one, at) => ({ ...one, before: earlier[at]?.value }));
        if (empty !== undefined && [...buckets, ...earlier].every(({ value }) => !value)) {
          return (
            <figure className="trend">
              <figcaption>{title}</figcaption>
              <p className="empty">{empty}</p>
            </figure>
          );
        }
        return (
          <figure className="trend">
            <figcaption>
              <span>
                {title}
                {isMoney && <span className="fine"> {currency.toUpperCase()}</span>}
              </span>
              {isCompared && (
                <span className="legend">
                  <span>{text.thisPeriod}</span> <span className="past">{text.periodBefore}</span>
                </span>
              )}
            </figcaption>
            <Chart
              days={buckets.map(({ start }) => start)}
              values={buckets.map(({ value }) => value)}
              before={isCompared ? days.map((one) => one.before ?? null) : undefined}
              scale={isMoney ? 10 ** decimalsOf(currency) : 1}
              inWords={inWords}
            />
            <details>
              <summary>{text.figures}</summary>
              <Table
                caption={title}
                columns={[
                  { title: text.day, cell: ({ start }) => formatDay(`${start}T12:00:00`) },
                  { title, isNumber: true, cell: ({ value }) => inWords(value) },
                  ...(isCompared ? [past(inWords)] : []),
                ]}
                rows={days}
                rowKey={({ start }) => start}
                empty={text.nothing}
              />
            </details>
          </figure>
        );
      }}
    </Loaded>
  );
}

/** The column of the period before; nothing where that is not known. */
const past = (inWords: (value: number) => string): Column<{ before: number | undefined }> => ({
  title: text.periodBefore,
  isNumber: true,
  cell: ({ before }) => (before === undefined ? text.nothing : inWords(before)),
});

const dayMs = 86_400_000;

/** The span of as many days just before. */
function spanBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return { from: moveDay(from, -days), to: moveDay(from, -1) };
}
