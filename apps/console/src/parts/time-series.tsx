import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface SeriesPoint {
  /** Seconds since 1970: the begin of a UTC day. */
  readonly at: number;
  readonly value: number;
  /** What the point says in words: its day and its exact value. */
  readonly words: string;
}

interface TimeSeriesProps {
  readonly label: string;
  readonly points: readonly SeriesPoint[];
  readonly axis: (value: number) => string;
  /** True: the axis has no parts of one. */
  readonly isWhole?: boolean;
  /** The name of a moment under the line. */
  readonly moment: (seconds: number) => string;
}

type Axes = Pick<TimeSeriesProps, 'axis' | 'moment' | 'isWhole'>;

/** The steps of an axis of whole numbers. */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

const HEIGHT_PX = 180;
/** The line of moments below the plot. */
const AXIS_PX = 28;

/** A canvas knows no `var()`: the browser computes the colour of the theme in force. */
function colour(element: HTMLElement, name: string): string {
  const probe = element.appendChild(document.createElement('span'));
  probe.style.color = `var(${name})`;
  const computed = getComputedStyle(probe).color;
  probe.remove();
  return computed;
}

const DIGIT_PX = 7;
const LEAST_DIGITS = 4;
const GAP_PX = 20;

/** Moments stand below the points of their days. In the zone of the browser they would stand beside them. */
const utcDate = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1_000), 'UTC');

/** As wide as the longest label of the axis. */
const widthOf = (_: uPlot, labels: readonly string[] | null): number =>
  GAP_PX + DIGIT_PX * Math.max(LEAST_DIGITS, ...(labels ?? []).map(({ length }) => length));

/** Zero always shows, so that heights can be compared. */
const rangeOf = (_: uPlot, least: number, most: number): [number, number] =>
  least === 0 && most === 0 ? [0, 1] : [Math.min(0, least * 1.1), Math.max(0, most * 1.1)];

function optionsFor(element: HTMLElement, { axis, moment, isWhole }: Axes, onPoint: (index: number | null) => void) {
  const line = colour(element, '--color-line');
  const muted = colour(element, '--color-muted');
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    tzDate: utcDate,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      y: { range: rangeOf },
    },
    axes: [
      {
        stroke: muted,
        font,
        space: 72,
        size: AXIS_PX,
        grid: { show: false },
        ticks: { show: false },
        values: (_: uPlot, values: number[]) => values.map(moment),
      },
      {
        stroke: muted,
        font,
        size: widthOf,
        ...(isWhole === true && { incrs: WHOLE_STEPS }),
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        values: (_: uPlot, values: number[]) => values.map(axis),
      },
    ],
    series: [{}, { stroke: colour(element, '--color-accent'), width: 1.5, points: { show: false } }],
    hooks: { setCursor: [({ cursor }: uPlot) => onPoint(cursor.idx ?? null)] },
  } satisfies uPlot.Options;
}

/** Redraws when the size or the theme changes. */
function usePlot(
  { points, axis, moment, isWhole = false }: Omit<TimeSeriesProps, 'label'>,
  onPoint: (index: number | null) => void,
) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const data: uPlot.AlignedData = [points.map(({ at }) => at), points.map(({ value }) => value)];
    let plot = new uPlot(optionsFor(element, { axis, moment, isWhole }, onPoint), data, element);
    const draw = () => {
      plot.destroy();
      plot = new uPlot(optionsFor(element, { axis, moment, isWhole }, onPoint), data, element);
    };
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    sizes.observe(element);
    const themes = new MutationObserver(draw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', draw);
    return () => {
      sizes.disconnect();
      themes.disconnect();
      system.removeEventListener('change', draw);
      plot.destroy();
    };
  }, [points, axis, moment, isWhole, onPoint]);
  return place;
}

/** A line over time. The value under the pointer, or the one that the arrow keys choose, is read out below it. */
export function TimeSeries({ label, ...series }: TimeSeriesProps) {
  const { points } = series;
  const { t } = useLingui();
  const [chosen, setChosen] = useState<number | null>(null);
  const place = usePlot(series, setChosen);
  const words = useMemo(() => (chosen === null ? undefined : points[chosen]?.words), [chosen, points]);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setChosen((index) => Math.min(points.length - 1, Math.max(0, (index ?? points.length - 1) + step)));
  };
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move along the line.
      tabIndex={0}
      role="figure"
      aria-label={label}
      onKeyDown={move}
    >
      {/* A narrower window must not wait for the next drawing. */}
      <div ref={place} aria-hidden className="overflow-hidden" />
      <p aria-live="polite" className="figures h-5 text-muted">
        {words ?? t`Point at the line, or use the arrow keys.`}
      </p>
    </div>
  );
}
