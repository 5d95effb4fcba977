import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { MarginReport } from '../../api/operators.js';
import { approximateUsd, exactUsd, shortUsd } from '../../format/money.js';
import { shortDay } from '../../format/time.js';
import { Button } from '../../parts/button.jsx';
import { Section } from '../../parts/page.jsx';
import { Skeleton } from '../../parts/states.jsx';
import { type SeriesPoint, TimeSeries } from '../../parts/time-series.jsx';

interface MarginChartProps {
  /** By day. Undefined: it loads. */
  readonly report: MarginReport | undefined;
  /** Shows the rows of the days below. */
  readonly onRows: () => void;
}

/** The margin of each day that has receipts. Its rows are those of the table by day. */
export function MarginChart({ report, onRows }: MarginChartProps) {
  const { t, i18n } = useLingui();
  const points = useMemo<readonly SeriesPoint[]>(
    () =>
      (report?.data ?? [])
        .toSorted((one, other) => one.group.localeCompare(other.group))
        .map(({ group, margin_usd: margin, charged_usd: charged }) => ({
          at: Date.parse(group) / 1_000,
          value: approximateUsd(margin),
          words: t`${shortDay(new Date(group), i18n.locale)}: ${exactUsd(margin)} of ${exactUsd(charged)}`,
        })),
    [report, t, i18n.locale],
  );
  const axis = useMemo(() => (value: number) => shortUsd(value.toFixed(9)), []);
  const moment = useMemo(() => (seconds: number) => shortDay(new Date(seconds * 1_000), i18n.locale), [i18n.locale]);
  if (report === undefined) return <Skeleton rows={5} />;
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
