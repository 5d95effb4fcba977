import type { Failpoints as FailpointsOf } from '@gateway/observability';

/** The steps at which a test may kill this process, in the order in which a task reaches them. */
export type Failpoint =
  | 'after-row'
  | 'after-hold'
  | 'before-post'
  | 'after-post'
  | 'after-accept'
  | 'after-poll-job'
  | 'before-poll'
  | 'after-poll'
  | 'before-finish'
  | 'after-finish';

export type Failpoints = FailpointsOf<Failpoint>;
