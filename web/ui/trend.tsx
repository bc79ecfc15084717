import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useApi } from '../session/use-session';
import type { Query } from '../session/session';
import { text } from '../text/en';
import { decimalsOf } from '../../entities/rules/values/currency';
import { formatCount, formatDay, formatMoney } from './format';
import { Loaded } from './page';
import { Table } from './table';

interface TrendAnswer {
  currency: string;
  buckets: { start: string; value: number }[];
}

interface TrendProps {
  path: string;
  query: Query & { metric: string };
  title: string;
}

/** A line over days, and the same figures as a table. */
export function Trend({ path, query, title }: TrendProps) {
  const trend = useApi<TrendAnswer>(path, query);
  const isMoney = query.metric === 'revenue';
  return (
    <Loaded query={trend}>
      {({ currency, buckets }) => (
        <figure className="trend">
          <figcaption>{title}</figcaption>
          <Line buckets={buckets} scale={isMoney ? 10 ** decimalsOf(currency) : 1} />
          <details>
            <summary>{text.figures}</summary>
            <Table
              caption={title}
              columns={[
                { title: text.day, cell: ({ start }) => formatDay(`${start}T12:00:00`) },
                {
                  title,
                  isNumber: true,
                  cell: ({ value }) =>
                    isMoney ? formatMoney(value, currency) : formatCount(value),
                },
              ]}
              rows={buckets}
              rowKey={({ start }) => start}
              empty={text.nothing}
            />
          </details>
        </figure>
      )}
    </Loaded>
  );
}

const height = 220;

function Line({ buckets, scale }: { buckets: TrendAnswer['buckets']; scale: number }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = ref.current;
    if (!frame) return undefined;
    // A canvas knows no variables: the frame has the accent as its colour.
    const { color } = getComputedStyle(frame);
    const words = getComputedStyle(document.body).color;
    const axis = { stroke: words, grid: { stroke: 'rgba(128,128,128,.2)' } };
    const plot = new uPlot(
      {
        width: frame.clientWidth,
        height,
        legend: { show: false },
        series: [{}, { stroke: color, width: 2, points: { show: false } }],
        axes: [axis, axis],
      },
      [
        buckets.map(({ start }) => Date.parse(`${start}T12:00:00`) / 1_000),
        buckets.map(({ value }) => value / scale),
      ],
      frame,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height }));
    resized.observe(frame);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [buckets, scale]);
  return <div ref={ref} className="line" aria-hidden="true" />;
}
