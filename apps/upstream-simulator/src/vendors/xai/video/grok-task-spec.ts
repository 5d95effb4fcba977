import type { TaskSpec } from '../../../tasks/task-spec.js';

export interface GrokTaskSpec extends TaskSpec {
  /** The price, in ticks of 10⁻¹⁰ dollars. */
  readonly ticks: number;
}
