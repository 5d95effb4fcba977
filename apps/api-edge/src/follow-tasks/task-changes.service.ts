import { SlabMap } from '@gateway/collections';
import { decodeRequestEnd, type RequestEnding } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';

/** A published change may be lost, so every waiter reads the task again after this time. */
const POLL_INTERVAL_MS = 2_000;
const SENT = 'sent';

/** Wakes the waiters of a task when its change is published. They read the change from Postgres. */
@Injectable()
export class TaskChanges {
  readonly #waiters = new SlabMap<Set<(isBegun: boolean) => void>>();

  /** The ends that are expected, by request. */
  readonly #ends = new SlabMap<(end: RequestEnding) => void>();

  /** A worker has sent the end of a request whose client waits here. */
  notifyEnd(text: string): void {
    const { requestId, end } = decodeRequestEnd(text);
    this.#ends.get(requestId)?.(end);
  }

  /** Resolves with the end of the request if a worker sends it; else as `next`. For one waiter of a request, which may abort it. */
  async nextEnd(requestId: string, waiting: AbortController): Promise<RequestEnding | undefined> {
    let sent: RequestEnding | undefined;
    this.#ends.set(requestId, (end) => {
      sent = end;
      // A reason of its own would be an error with a stack.
      waiting.abort(SENT);
    });
    await this.next(requestId, waiting.signal, 'end');
    this.#ends.delete(requestId);
    return sent;
  }

  /** The task may have changed. `isBegun`: it has only begun. */
  notify(taskId: string, isBegun = false): void {
    for (const onChange of this.#waiters.get(taskId) ?? []) onChange(isBegun);
  }

  /**
   * Resolves on the task's next published change, after two seconds, or when the signal aborts. Call it before you read
   * the task, so that no change in between is missed. `awaited`: for its end it does not wake when the task begins.
   */
  next(taskId: string, signal: AbortSignal, awaited: 'change' | 'end' = 'change'): Promise<void> {
    return new Promise((resolve) => {
      const wakers = this.#waiters.get(taskId) ?? new Set();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        wakers.delete(onChange);
        if (wakers.size === 0) this.#waiters.delete(taskId);
        resolve();
      };
      const onChange = (isBegun: boolean): void => {
        if (!isBegun || awaited === 'change') wake();
      };
      const timer = setTimeout(wake, POLL_INTERVAL_MS).unref();
      signal.addEventListener('abort', wake);
      wakers.add(onChange);
      this.#waiters.set(taskId, wakers);
      if (signal.aborted) wake();
    });
  }
}
