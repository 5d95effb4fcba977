import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { healthQuery, type ModelHealth } from '../../api/models.js';
import { count } from '../../format/count.js';
import { duration } from '../../format/time.js';
import { Facts, Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';

/** `0.4 %`: never rounded to zero. */
function usePerCent() {
  const { i18n } = useLingui();
  const format = new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumSignificantDigits: 2 });
  return (share: number): string => format.format(share);
}

function HealthFacts({ health }: { readonly health: ModelHealth | undefined }) {
  const { t, i18n } = useLingui();
  const perCent = usePerCent();
  const none = t`no data yet`;
  const time = (milliseconds: number | undefined) =>
    milliseconds === undefined ? none : duration(milliseconds, i18n.locale);
  const speed = health?.own?.first_byte_ms;
  return (
    <Facts
      rows={[
        [t`Your requests`, health?.own == null ? none : count(health.own.requests, i18n.locale)],
        [t`First byte, median`, time(speed?.median)],
        [t`First byte, slowest tenth`, time(speed?.slow_tenth)],
        [t`Failed, yours`, health?.own == null ? none : perCent(health.own.error_rate)],
        [t`Failed, of all customers`, health?.error_rate == null ? none : perCent(health.error_rate)],
      ]}
    />
  );
}

/** How fast and how often a model answers, as measured here. */
export function MeasuredHere({ model }: { readonly model: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(healthQuery);
  return (
    <Section title={t`Measured here`} about={<Trans>The last 24 hours, your latest 1,000 requests.</Trans>}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={4} />}
      {data !== undefined && <HealthFacts health={data.data.find((health) => health.model === model)} />}
    </Section>
  );
}
