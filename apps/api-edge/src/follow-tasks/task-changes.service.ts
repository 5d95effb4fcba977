import { Injectable } from '@nestjs/common';

/** A published change may be lost, so every waiter reads the task again after this time. */
const POLL_INTERVAL_MS = 2_000;

/** Wakes the waiters of a task when its change is published. They read the change from Postgres. */
@Injectable()
export class TaskChanges {
  readonly #waiters = new Map<string, Set<() => void>>();

  /** The task may have changed. */
  notify(taskId: string): void {
    for (const wake of this.#waiters.get(taskId) ?? []) wake();
  }

  /**
   * Resolves on the task's next published change, after two seconds, or when the signal aborts. Call it before you read
   * the task, so that no change in between is missed.
   */
  next(taskId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wakers = this.#waiters.get(taskId) ?? new Set();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        wakers.delete(wake);
        if (wakers.size === 0) this.#waiters.delete(taskId);
        resolve();
      };
      const timer = setTimeout(wake, POLL_INTERVAL_MS).unref();
      signal.addEventListener('abort', wake);
      wakers.add(wake);
      this.#waiters.set(taskId, wakers);
      if (signal.aborted) wake();
    });
  }
}
