import { Injectable } from '@nestjs/common';

/** Nobody waits longer than this for a hint: one may be lost, and then the task is looked at all the same. */
const LOOK_AGAIN_MS = 2_000;

/** Wakes those who wait for a task when something is heard of it. What has become of it stands in Postgres. */
@Injectable()
export class TaskChanges {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** A hint that this task has changed. */
  heard(taskId: string): void {
    for (const wake of this.#waiting.get(taskId) ?? []) wake();
  }

  /**
   * Resolves when something is heard of the task from now on, after two seconds, or when the signal aborts. Ask before
   * you look: what happens in between is then not missed.
   */
  next(taskId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wakers = this.#waiting.get(taskId) ?? new Set();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        wakers.delete(wake);
        if (wakers.size === 0) this.#waiting.delete(taskId);
        resolve();
      };
      const timer = setTimeout(wake, LOOK_AGAIN_MS).unref();
      signal.addEventListener('abort', wake);
      wakers.add(wake);
      this.#waiting.set(taskId, wakers);
      if (signal.aborted) wake();
    });
  }
}
