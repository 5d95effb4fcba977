import type { ArkVideoJob } from '../vendors/ark/video/ark-video-job.js';
import type { DashScopeVideoJob } from '../vendors/dashscope/video/dashscope-video-job.js';
import type { GrokVideoJob } from '../vendors/xai/video/grok-video-job.js';
import { type AnyTaskStore, TaskStore } from './task-store.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const UNLIMITED = Infinity;

export class TaskStores {
  readonly dashscope = new TaskStore<DashScopeVideoJob>({ retentionMs: () => DAY_MS, queriesPerSecond: 20 });
  readonly ark = new TaskStore<ArkVideoJob>({
    retentionMs: (state) => (state === 'cancelled' ? DAY_MS : 7 * DAY_MS),
    queriesPerSecond: UNLIMITED,
  });

  readonly xai = new TaskStore<GrokVideoJob>({ retentionMs: () => DAY_MS, queriesPerSecond: UNLIMITED });

  readonly byVendor: readonly (readonly [vendor: string, store: AnyTaskStore])[] = [
    ['dashscope', this.dashscope],
    ['ark', this.ark],
    ['xai', this.xai],
  ];

  /** Resolves when all tasks that end within `limitMs` have ended. */
  async untilEnded(limitMs: number): Promise<void> {
    await Promise.all(this.byVendor.map(([, store]) => store.untilEnded(limitMs)));
  }
}
