import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { exactUsd, shortUsd, type Usd } from '../format/money.js';
import { exactTime, relativeTime, shortTime } from '../format/time.js';
import { classes } from './classes.js';

interface AmountProps {
  readonly usd: Usd;
  /** True: all nine decimals, as in the ledger. */
  readonly isExact?: boolean;
  readonly className?: string;
}

/** Money: as many digits as matter, all of them on hover. */
export const Amount = ({ usd, isExact = false, className }: AmountProps) => (
  <span title={exactUsd(usd)} className={classes('figures whitespace-nowrap', className)}>
    {isExact ? exactUsd(usd) : shortUsd(usd)}
  </span>
);

const REFRESH_MS = 15_000;

/** The present, some time ago at most. */
export function useNow(everyMs = REFRESH_MS): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  readonly form?: 'relative' | 'short' | 'exact';
}

/** A time in the person's own zone; the exact one on hover. */
export function Time({ at, form = 'short' }: TimeProps) {
  const { i18n } = useLingui();
  const now = useNow();
  const time = new Date(at);
  const exact = exactTime(time, i18n.locale);
  const shown = { relative: relativeTime, short: shortTime, exact: () => exact }[form](time, now, i18n.locale);
  return (
    // With its zone an exact time is longer than a phone leaves room for.
    <time dateTime={at} title={exact} className={classes('figures', form !== 'exact' && 'whitespace-nowrap')}>
      {shown}
    </time>
  );
}
