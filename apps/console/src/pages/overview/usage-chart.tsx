import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { UsageLine } from '../../api/money.js';
import { count } from '../../format/count.js';
import { approximateUsd, exactUsd } from '../../format/money.js';
import { withCents } from '../../format/price.js';
import { shortDay } from '../../format/time.js';
import { type SeriesPoint, TimeSeries } from '../../parts/time-series.jsx';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface UsageChartProps {
  readonly measure: 'cost' | 'requests';
  readonly lines: readonly UsageLine[];
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
}

/** Every day of the period: a day without a line had no request. */
function daysBetween(from: string, to: string): readonly string[] {
  const first = Date.parse(from);
  const days = Math.round((Date.parse(to) - first) / DAY_MS) + 1;
  return Array.from({ length: days }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10));
}

/** Cost or requests by day. */
export function UsageChart({ measure, lines, from, to }: UsageChartProps) {
  const { t, i18n } = useLingui();
  const points = useMemo<readonly SeriesPoint[]>(() => {
    const byDay = new Map(lines.map((line) => [line.day, line]));
    return daysBetween(from, to).map((day) => {
      const line = byDay.get(day);
      const cost = line?.cost_usd ?? '0.00';
      const requests = line?.requests ?? 0;
      const name = shortDay(new Date(day), i18n.locale);
      return {
        at: Date.parse(day) / 1_000,
        value: measure === 'cost' ? approximateUsd(cost) : requests,
        words:
          measure === 'cost'
            ? `${name}: ${exactUsd(cost)}`
            : t`${name}: ${plural(requests, { one: '# request', other: '# requests' })}`,
      };
    });
  }, [measure, lines, from, to, t, i18n.locale]);
  const axis = useMemo(
    () => (value: number) => (measure === 'cost' ? withCents(value.toFixed(9)) : count(value, i18n.locale)),
    [measure, i18n.locale],
  );
  const moment = useMemo(() => (seconds: number) => shortDay(new Date(seconds * 1_000), i18n.locale), [i18n.locale]);
  const label = measure === 'cost' ? t`Cost by day` : t`Requests by day`;
  return <TimeSeries label={label} points={points} axis={axis} moment={moment} isWhole={measure === 'requests'} />;
}
