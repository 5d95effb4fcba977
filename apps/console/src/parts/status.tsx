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

interface StatusProps {
  readonly meaning: Meaning;
  /** True: the words may take several lines. */
  readonly isSentence?: boolean;
  /** True: on a narrow screen the words are read, not shown. */
  readonly isShort?: boolean;
  readonly children: ReactNode;
}

/** An icon and a word. The colour repeats what they say. */
export const Status = ({ meaning, isSentence = false, isShort = false, children }: StatusProps) => (
  <span
    className={classes(
      'inline-flex gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0',
      isSentence ? 'items-baseline [&_svg]:translate-y-0.5' : 'max-w-full items-center whitespace-nowrap',
      LOOK[meaning].tone,
    )}
  >
    {LOOK[meaning].icon}
    <span className={classes(!isSentence && 'truncate', isShort && 'max-md:sr-only')}>{children}</span>
  </span>
);

/** A small word beside a name, such as `test`. */
export const Tag = ({ children }: { readonly children: ReactNode }) => (
  <span className="inline-flex h-5 max-w-full shrink-0 items-center rounded-control border px-1.5 text-muted text-small">
    <span className="truncate">{children}</span>
  </span>
);
