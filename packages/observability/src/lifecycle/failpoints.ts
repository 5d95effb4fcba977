/** Steps at which a test may kill the process. */
export interface Failpoints<Step extends string> {
  /** Kills the process if the step was configured, as a machine failure would. */
  reach(step: Step): void;
}

/** Production configures no steps. */
export function failpointsAt<Step extends string>(steps: readonly string[]): Failpoints<Step> {
  const configured = new Set(steps);
  return {
    reach(step) {
      if (configured.has(step)) process.kill(process.pid, 'SIGKILL');
    },
  };
}
