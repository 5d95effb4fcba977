import type { Failpoints } from '@gateway/observability';

/** The steps at which a test may kill this process, in the order in which a batch reaches them. */
export type BatchStep =
  | 'after-claim'
  | 'after-begin'
  | 'after-response'
  | 'after-segment'
  | 'after-record'
  | 'after-file'
  | 'after-finish';

export type BatchFailpoints = Failpoints<BatchStep>;
