/** The steps at which a test may have this process die, in the order in which a task comes to them. */
export type Failpoint =
  | 'after-row'
  | 'after-hold'
  | 'before-post'
  | 'after-post'
  | 'after-accept'
  | 'after-alarm'
  | 'before-poll'
  | 'after-poll'
  | 'before-finish'
  | 'after-finish';

export const FAILPOINTS = Symbol('Failpoints');

export interface Failpoints {
  /** Does not return at a step that is named: the process ends as if the machine had. */
  reach(step: Failpoint): void;
}

/** Of no steps, outside tests. */
export function failpointsAt(steps: readonly string[]): Failpoints {
  const deadly = new Set(steps);
  return {
    reach(step) {
      if (deadly.has(step)) process.kill(process.pid, 'SIGKILL');
    },
  };
}
