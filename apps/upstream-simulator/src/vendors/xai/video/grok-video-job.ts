import type { VideoJob } from '../../../tasks/video-job.js';

export interface GrokVideoJob extends VideoJob {
  /** The price, in ticks of 10⁻¹⁰ dollars. */
  readonly ticks: number;
}
