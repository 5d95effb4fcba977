import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { approximateUsd, exactUsd, shortUsd } from '../../format/money.js';
import { shortDay } from '../../format/time.js';
import { Button } from '../../parts/button.jsx';
import { Section } from '../../parts/page.jsx';
import { Skeleton } from '../../parts/states.jsx';
import { type SeriesPoint, TimeSeries } from '../../parts/time-series.jsx';
import { type MarginPeriod, marginQuery } from './margin-query.js';

interface MarginChartProps {
  readonly period: MarginPeriod;
  /** Shows the rows of the days below. */
  readonly onRows: () => void;
}

/** The margin of each day that has receipts. Its rows are those of the table by day. */
export function MarginChart({ period, onRows }: MarginChartProps) {
  const { t, i18n } = useLingui();
  const { data } = useQuery(marginQuery('day', period));
  const points = useMemo<readonly SeriesPoint[]>(
    () =>
      (data?.data ?? [])
        .toSorted((one, other) => one.group.localeCompare(other.group))
        .map(({ group, margin_usd: margin, charged_usd: charged }) => ({
          at: Date.parse(group) / 1_000,
          value: approximateUsd(margin),
          words: t`${shortDay(new Date(group), i18n.locale)}: ${exactUsd(margin)} of ${exactUsd(charged)}`,
        })),
    [data, t, i18n.locale],
  );
  const axis = useMemo(() => (value: number) => shortUsd(value.toFixed(9)), []);
  const moment = useMemo(() => (seconds: number) => shortDay(new Date(seconds * 1_000), i18n.locale), [i18n.locale]);
  if (data === undefined) return <Skeleton rows={5} />;
  if (points.length < 2) return null;
  return (
    <Section
      title={t`Margin by day`}
      action={
        <Button kind="quiet" onClick={onRows}>
          <Trans>Its rows</Trans>
        </Button>
      }
    >
      <TimeSeries label={t`Margin by day`} points={points} axis={axis} moment={moment} />
    </Section>
  );
}
