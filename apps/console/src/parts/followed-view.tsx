import type { ReactNode } from 'react';
import type { Followed } from '../api/followed.js';
import { Problem, Skeleton } from './states.jsx';

interface FollowedViewProps<Data> {
  readonly followed: Followed<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** The data once they are there; before, the loading lines or the problem. */
export function FollowedView<Data>({ followed, children }: FollowedViewProps<Data>) {
  if (followed.data !== undefined) return children(followed.data);
  return followed.error === null ? <Skeleton rows={5} /> : <Problem error={followed.error} onRetry={followed.retry} />;
}
