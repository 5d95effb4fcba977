import type { VideoOrder } from '../../../tasks/video-order.js';

/** What xAI keeps of a task beside what every vendor keeps. */
export interface GrokOrder extends VideoOrder {
  /** What it costs, in ten-thousand-millionths of a dollar. */
  readonly ticks: number;
}
