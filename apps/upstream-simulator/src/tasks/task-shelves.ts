import type { ArkOrder } from '../personas/ark/video/ark-order.js';
import type { DashScopeOrder } from '../personas/dashscope/video/dashscope-order.js';
import type { GrokOrder } from '../personas/xai/video/grok-order.js';
import { type AnyTaskShelf, TaskShelf } from './task-shelf.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const UNLIMITED = Infinity;

/** The tasks of every vendor that has them. */
export class TaskShelves {
  readonly dashscope = new TaskShelf<DashScopeOrder>({ keptMs: () => DAY_MS, queriesPerSecond: 20 });
  readonly ark = new TaskShelf<ArkOrder>({
    keptMs: (state) => (state === 'cancelled' ? DAY_MS : 7 * DAY_MS),
    queriesPerSecond: UNLIMITED,
  });

  readonly xai = new TaskShelf<GrokOrder>({ keptMs: () => DAY_MS, queriesPerSecond: UNLIMITED });

  /** By the name of the vendor. */
  readonly byVendor: readonly (readonly [vendor: string, shelf: AnyTaskShelf])[] = [
    ['dashscope', this.dashscope],
    ['ark', this.ark],
    ['xai', this.xai],
  ];

  /** Resolves once every task of every vendor has ended that left alone ends within `limitMs`. */
  async untilEnded(limitMs: number): Promise<void> {
    await Promise.all(this.byVendor.map(([, shelf]) => shelf.untilEnded(limitMs)));
  }
}
