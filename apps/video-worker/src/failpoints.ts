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

export interface Failpoints {
  /** Kills the process if the step was configured, as a machine failure would. */
  reach(step: Failpoint): void;
}

/** Production configures no steps. */
export function failpointsAt(steps: readonly string[]): Failpoints {
  const configured = new Set(steps);
  return {
    reach(step) {
      if (configured.has(step)) process.kill(process.pid, 'SIGKILL');
    },
  };
}
