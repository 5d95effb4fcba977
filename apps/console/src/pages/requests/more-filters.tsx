import { Trans, useLingui } from '@lingui/react/macro';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { isoTime, localTime } from '../../format/time.js';
import { Button } from '../../parts/button.jsx';

interface TimeFieldProps {
  readonly label: string;
  /** ISO 8601. */
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
}

/** A minute of the person's own zone. A text that is no time is none. */
export const TimeFilter = ({ label, value, onValue }: TimeFieldProps) => (
  <label className="flex items-center gap-2">
    <span className="text-muted">{label}</span>
    <input
      type="datetime-local"
      className="h-8 w-52 rounded-control border border-line-strong bg-surface px-2.5"
      value={value === undefined || Number.isNaN(Date.parse(value)) ? '' : localTime(value)}
      onChange={({ target }) => onValue(target.value === '' ? undefined : isoTime(target.value))}
    />
  </label>
);

interface MoreFiltersProps {
  /** True: one of them is set, so they show. */
  readonly isUsed: boolean;
  readonly children: ReactNode;
}

/** The filters that a person needs rarely, behind a button. */
export function MoreFilters({ isUsed, children }: MoreFiltersProps) {
  const { t } = useLingui();
  const id = useId();
  const [isOpen, setIsOpen] = useState(isUsed);
  return (
    <>
      <Button kind="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        <SlidersHorizontal aria-hidden />
        <Trans>More filters</Trans>
      </Button>
      <fieldset
        id={id}
        hidden={!isOpen}
        aria-label={t`More filters`}
        className="order-last flex basis-full flex-wrap items-center gap-2 [&[hidden]]:hidden"
      >
        {children}
      </fieldset>
    </>
  );
}
