import { Ban, CheckCircle2, CircleDashed, Clock, TriangleAlert, XCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.js';

export type Meaning = 'running' | 'succeeded' | 'failed' | 'warned' | 'waiting' | 'ended';

const LOOK: Readonly<Record<Meaning, { readonly tone: string; readonly icon: ReactNode }>> = {
  running: { tone: 'text-running', icon: <CircleDashed aria-hidden /> },
  succeeded: { tone: 'text-succeeded', icon: <CheckCircle2 aria-hidden /> },
  failed: { tone: 'text-failed', icon: <XCircle aria-hidden /> },
  warned: { tone: 'text-warned', icon: <TriangleAlert aria-hidden /> },
  waiting: { tone: 'text-muted', icon: <Clock aria-hidden /> },
  ended: { tone: 'text-muted', icon: <Ban aria-hidden /> },
};

/** An icon and a word. The colour repeats what they say. */
export const Status = ({ meaning, children }: { readonly meaning: Meaning; readonly children: ReactNode }) => (
  <span
    className={classes(
      'inline-flex items-center gap-1.5 whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0',
      LOOK[meaning].tone,
    )}
  >
    {LOOK[meaning].icon}
    {children}
  </span>
);

/** A small word beside a name, such as `test`. */
export const Tag = ({ children }: { readonly children: ReactNode }) => (
  <span className="inline-flex h-5 items-center rounded-control border px-1.5 text-muted text-small">{children}</span>
);
