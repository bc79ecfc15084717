import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import { text } from '../text/en';
import { formatCompact, formatDay, formatShortDay } from './format';

interface ChartProps {
  /** YYYY-MM-DD, the earliest first. */
  days: readonly string[];
  values: readonly number[];
  /** Values of as many days before, drawn beside it; null where nothing is known. */
  before?: readonly (number | null)[] | undefined;
  /** What the values are divided by on the axis, such as 100 for cents. */
  scale: number;
  inWords: (value: number) => string;
}

const height = 240;

/** The day under the mouse, and where it is. */
interface Pointed {
  at: number;
  left: number;
  isRight: boolean;
}

const darkness = window.matchMedia('(prefers-color-scheme: dark)');

function whenThemeChanges(then: () => void): () => void {
  darkness.addEventListener('change', then);
  return () => darkness.removeEventListener('change', then);
}

/** Days from left to right and values from 0 up; what is under the mouse is said beside it. */
export function Chart({ days, values, before, scale, inWords }: ChartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed>();
  const isDark = useSyncExternalStore(whenThemeChanges, () => darkness.matches);
  const drawn = JSON.stringify([days, values, before, scale]);
  useEffect(() => {
    const frame = ref.current;
    if (!frame) return undefined;
    const plot = new uPlot(optionsOf(frame, setPointed), dataOf(drawn), frame);
    const resized = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height }));
    resized.observe(frame);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [drawn, isDark]);
  const value = pointed && values[pointed.at];
  const past = pointed && before?.[pointed.at];
  return (
    <div ref={ref} className="line" aria-hidden="true" onMouseLeave={() => setPointed(undefined)}>
      {pointed && value !== undefined && (
        <div
          className={pointed.isRight ? 'chart-tip right' : 'chart-tip'}
          style={{ left: pointed.left }}
        >
          <span>{formatDay(`${days[pointed.at]}T12:00:00`)}</span>
          <b>{inWords(value)}</b>
          {typeof past === 'number' && <span>{text.beforeWas(inWords(past))}</span>}
        </div>
      )}
    </div>
  );
}

function dataOf(drawn: string): uPlot.AlignedData {
  const [days, values, before, scale] = JSON.parse(drawn) as [
    string[],
    number[],
    (number | null)[] | null,
    number,
  ];
  const scaled = (value: number | null): number | null => (value === null ? null : value / scale);
  return [
    days.map((day) => Date.parse(`${day}T12:00:00`) / 1_000),
    values.map((value) => value / scale),
    (before ?? values.map(() => null)).map(scaled),
  ];
}

/** A canvas knows no variables: the frame has the accent as its colour, and that of words as its border's. */
function optionsOf(frame: HTMLElement, point: (to: Pointed | undefined) => void): uPlot.Options {
  const { color, borderTopColor } = getComputedStyle(frame);
  const axis: uPlot.Axis = {
    stroke: borderTopColor,
    font: '11px "Inter Variable", system-ui, sans-serif',
    ticks: { show: false },
  };
  return {
    width: frame.clientWidth,
    height,
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: { y: { range: (_plot, _least, most) => [0, roundUp(most)] } },
    series: [
      {},
      { stroke: color, width: 2, fill: withAlpha(color, 0.09), points: { show: false } },
      { stroke: withAlpha(color, 0.55), width: 1.5, dash: [4, 4], points: { show: false } },
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        splits: namedDays,
        values: (_plot, splits) => splits.map((at) => formatShortDay(at * 1_000)),
      },
      {
        ...axis,
        size: 56,
        grid: { stroke: 'rgb(128 128 128 / 0.18)', width: 1 },
        values: (_plot, splits) => splits.map(formatCompact),
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = 0 }, bbox }) => {
          if (idx === null || idx === undefined || left < 0) point(undefined);
          else
            point({ at: idx, left: left + 56, isRight: left > bbox.width / devicePixelRatio / 2 });
        },
      ],
    },
  };
}

const dayWidth = 64;

/** The days that the axis names: as many as have room, each once, the last one among them. */
function namedDays({ data: [days], width }: uPlot): number[] {
  const every = Math.max(1, Math.ceil((days.length * dayWidth) / width));
  return [...days].filter((_, at) => (days.length - 1 - at) % every === 0);
}

/** A little above the most, and never 0: an empty chart has an axis, too. */
function roundUp(most: number | null): number {
  if (!most || most < 4) return 4;
  const step = 10 ** Math.floor(Math.log10(most)) / 2;
  return Math.ceil((most * 1.05) / step) * step;
}

const withAlpha = (color: string, alpha: number): string =>
  `color-mix(in srgb, ${color}, transparent ${100 - alpha * 100}%)`;
