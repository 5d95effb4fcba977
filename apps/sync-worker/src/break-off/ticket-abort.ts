/** The upstream's answer has not begun in time. */
export class DeadlinePassed extends Error {}

/** Aborts with the first of the signals that does, or when the deadline passes. To be disposed of when the ticket is over. */
export class TicketAbort {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly signals: readonly AbortSignal[],
    deadlineMs: number,
  ) {
    for (const signal of signals) {
      if (signal.aborted) this.#controller.abort(signal.reason);
      else signal.addEventListener('abort', this.#follow, { once: true });
    }
    const remainingMs = Math.max(0, deadlineMs - Date.now());
    this.#timer = setTimeout(() => this.#controller.abort(new DeadlinePassed()), remainingMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first byte has come: from here on only silence ends the stream. */
  liftDeadline(): void {
    clearTimeout(this.#timer);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const signal of this.signals) signal.removeEventListener('abort', this.#follow);
  }

  readonly #follow = ({ target }: Event): void => this.#controller.abort((target as AbortSignal).reason);
}
