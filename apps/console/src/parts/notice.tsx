import { CheckCircle2, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.js';

const LOOK = {
  info: { tone: 'text-muted', icon: Info },
  done: { tone: 'text-succeeded', icon: CheckCircle2 },
  warned: { tone: 'text-warned', icon: TriangleAlert },
} as const;

interface NoticeProps {
  readonly kind?: keyof typeof LOOK;
  readonly children: ReactNode;
}

/** Something to know before going on. What failed is a `Problem`. */
export function Notice({ kind = 'info', children }: NoticeProps) {
  const { tone, icon: Icon } = LOOK[kind];
  return (
    <div role="status" className="flex items-start gap-2 rounded-panel border p-3">
      <Icon aria-hidden className={classes('mt-0.5 size-4 shrink-0', tone)} />
      <div className="wrap-anywhere min-w-0 flex-1">{children}</div>
    </div>
  );
}
