/** The upstream's response has not begun before the ticket's deadline. */
export class DeadlinePassed extends Error {}

/**
 * Aborts with the first of the given signals, or with `DeadlinePassed` at the deadline (Unix milliseconds).
 * Call `dispose` once the ticket is over.
 */
export class TicketAbort {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly signals: readonly AbortSignal[],
    deadlineMs: number,
  ) {
    for (const signal of signals) {
      if (signal.aborted) this.#controller.abort(signal.reason);
      else signal.addEventListener('abort', this.#forward, { once: true });
    }
    const remainingMs = Math.max(0, deadlineMs - Date.now());
    this.#timer = setTimeout(() => this.#controller.abort(new DeadlinePassed()), remainingMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Call it at the first byte: from then on only the idle time-out ends a stream. */
  liftDeadline(): void {
    clearTimeout(this.#timer);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const signal of this.signals) signal.removeEventListener('abort', this.#forward);
  }

  readonly #forward = ({ target }: Event): void => this.#controller.abort((target as AbortSignal).reason);
}
