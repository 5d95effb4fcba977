const EVERY_MS = 10_000;

/** Lets the same problem through once, and then again every ten seconds while it lasts. */
export class LogThrottle {
  readonly #toldAtMs = new Map<string, number>();

  log(problem: string, tell: () => void): void {
    const nowMs = performance.now();
    const toldAtMs = this.#toldAtMs.get(problem);
    if (toldAtMs !== undefined && nowMs - toldAtMs < EVERY_MS) return;
    // What has not been a problem for a while is forgotten: the list stays short.
    for (const [known, atMs] of this.#toldAtMs) if (nowMs - atMs >= EVERY_MS) this.#toldAtMs.delete(known);
    this.#toldAtMs.set(problem, nowMs);
    tell();
  }
}
