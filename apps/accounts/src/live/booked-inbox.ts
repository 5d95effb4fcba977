/** A reader that is slower than its account gets no more ids than this. It reads the receipts by their time instead. */
const MAX_IDS = 500;

export interface InboxContents {
  readonly requestIds: readonly string[];
  /** Ids were lost: on the way, or because the reader was slow. */
  readonly hasGap: boolean;
}

/** The booked requests that one stream has not written yet, of bounded size. */
export class BookedInbox {
  readonly #ids = new Set<string>();
  #hasGap = false;
  #wake: () => void = () => undefined;

  /** `null`: ids may have been lost. */
  add(requestIds: readonly string[] | null): void {
    for (const id of requestIds ?? []) this.#ids.add(id);
    if (requestIds === null || this.#ids.size > MAX_IDS) {
      this.#hasGap = true;
      this.#ids.clear();
    }
    this.#wake();
  }

  take(): InboxContents {
    const contents = { requestIds: [...this.#ids], hasGap: this.#hasGap };
    this.#ids.clear();
    this.#hasGap = false;
    return contents;
  }

  /** Resolves when something is in it, after `timeoutMs`, or when the signal aborts. */
  filled(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake);
      this.#wake = wake;
      if (signal.aborted || this.#hasGap || this.#ids.size > 0) wake();
    });
  }
}
