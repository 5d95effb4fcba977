import type { TaskSpec } from '../../../tasks/task-spec.js';

/** What xAI keeps of a task beside what every vendor keeps. */
export interface GrokTaskSpec extends TaskSpec {
  /** What it costs, in ten-thousand-millionths of a dollar. */
  readonly ticks: number;
}
