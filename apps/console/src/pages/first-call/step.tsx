import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../../parts/classes.js';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly about?: ReactNode;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

/** One step of a few: its number becomes a mark when it is done. */
export const Step = ({ number, title, about, isDone, children }: StepProps) => (
  <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-4 md:gap-x-5">
    <div aria-hidden className="flex flex-col items-center">
      <span
        className={classes(
          'figures flex size-7 shrink-0 items-center justify-center rounded-round border font-medium text-small transition-colors',
          isDone ? 'border-succeeded bg-succeeded-wash text-succeeded' : 'border-line-strong text-muted',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <span className="w-px flex-1 bg-line" />
    </div>
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 pb-8">
      <header className="pt-0.5">
        <h2 className="font-semibold text-large">{title}</h2>
        {about !== undefined && <p className="max-w-prose text-muted">{about}</p>}
      </header>
      {children}
    </section>
  </li>
);
