const INTERVAL_MS = 10_000;

/** Logs a problem once, and again every ten seconds while it lasts. */
export class LogThrottle {
  readonly #loggedAtMs = new Map<string, number>();

  /** Calls `write`, unless it was called for the same `problem` less than ten seconds ago. */
  log(problem: string, write: () => void): void {
    const nowMs = performance.now();
    const loggedAtMs = this.#loggedAtMs.get(problem);
    if (loggedAtMs !== undefined && nowMs - loggedAtMs < INTERVAL_MS) return;
    // Forgets past problems, so that the map stays small.
    for (const [known, atMs] of this.#loggedAtMs) if (nowMs - atMs >= INTERVAL_MS) this.#loggedAtMs.delete(known);
    this.#loggedAtMs.set(problem, nowMs);
    write();
  }
}
