import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Polled } from '../api/polled.js';
import { classes } from './classes.js';
import { Time } from './figures.jsx';
import { Problem, Skeleton } from './states.jsx';

/** Whether what is shown is read again by itself, and since when it is not. */
export function PollSign({ error, readAt }: Pick<Polled<unknown>, 'error' | 'readAt'>) {
  const isLost = error !== null;
  const last = new Date(readAt).toISOString();
  return (
    <p role="status" className="flex h-8 items-center gap-2 text-muted text-small">
      <span aria-hidden className={classes('size-2 shrink-0 rounded-round', isLost ? 'bg-failed' : 'bg-succeeded')} />
      {!isLost && <Trans>Read again every 5 seconds</Trans>}
      {isLost && readAt > 0 && (
        <span>
          <Trans>Not connected. Last read:</Trans> <Time at={last} form="relative" />
        </span>
      )}
      {isLost && readAt === 0 && <Trans>Not connected. Trying again…</Trans>}
    </p>
  );
}

interface PolledViewProps<Data> {
  readonly polled: Polled<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** The data once they are there; before, the loading lines or the problem. */
export function PolledView<Data>({ polled, children }: PolledViewProps<Data>) {
  if (polled.data !== undefined) return children(polled.data);
  return polled.error === null ? <Skeleton rows={5} /> : <Problem error={polled.error} onRetry={polled.retry} />;
}
