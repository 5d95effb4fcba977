import { useLingui } from '@lingui/react/macro';
import type { Timeline } from '../../api/requests.js';
import { duration } from '../../format/time.js';
import { type Stage, stagesOf } from './stages.js';

function useStages(timeline: Timeline): readonly Stage[] {
  const { t } = useLingui();
  return stagesOf([
    [t`Admission`, timeline.admitted_at],
    [t`Queue`, timeline.queued_at],
    [t`Worker`, timeline.claimed_at],
    [t`Vendor, until the first byte`, timeline.upstream_at],
    [t`Answer`, timeline.first_byte_at],
    [t`Booking in the ledger`, timeline.settled_at],
    ['', timeline.recorded_at],
  ]);
}

/** Where the time went: one bar for each stage, in order. On a phone it stands below the name, as wide as the panel. */
export function Waterfall({ timeline }: { readonly timeline: Timeline }) {
  const { i18n } = useLingui();
  const stages = useStages(timeline);
  const begin = stages[0]?.startMs ?? 0;
  const whole = Math.max(1, (stages.at(-1)?.endMs ?? begin) - begin);
  return (
    <ol className="flex flex-col gap-1.5">
      {stages.map(({ name, startMs, endMs }) => (
        <li
          key={name}
          className="grid grid-cols-[minmax(8rem,12rem)_1fr_5rem] items-center gap-x-3 max-sm:grid-cols-[1fr_5rem]"
        >
          <span className="truncate text-muted">{name}</span>
          <span aria-hidden className="relative h-2 rounded-round bg-sunken max-sm:order-last max-sm:col-span-2">
            <span
              className="drawn absolute inset-y-0 min-w-0.5 rounded-round bg-accent"
              style={{ left: `${((startMs - begin) / whole) * 100}%`, width: `${((endMs - startMs) / whole) * 100}%` }}
            />
          </span>
          <span className="figures text-right">{duration(endMs - startMs, i18n.locale)}</span>
        </li>
      ))}
    </ol>
  );
}
