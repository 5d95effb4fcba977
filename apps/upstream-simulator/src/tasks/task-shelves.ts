import type { DashScopeOrder } from '../personas/dashscope/video/dashscope-order.js';
import { type AnyTaskShelf, TaskShelf } from './task-shelf.js';

const HOUR_MS = 60 * 60 * 1_000;

/** The tasks of every vendor that has them. */
export class TaskShelves {
  readonly dashscope = new TaskShelf<DashScopeOrder>({ keptMs: 24 * HOUR_MS, queriesPerSecond: 20 });

  /** By the name of the vendor. */
  readonly byVendor: readonly (readonly [vendor: string, shelf: AnyTaskShelf])[] = [['dashscope', this.dashscope]];

  /** Resolves once every task of every vendor has ended that left alone ends within `limitMs`. */
  async untilEnded(limitMs: number): Promise<void> {
    await Promise.all(this.byVendor.map(([, shelf]) => shelf.untilEnded(limitMs)));
  }
}
