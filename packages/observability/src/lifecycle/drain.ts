import type { Logger } from '../logging/logger.js';

export interface DrainStep {
  readonly name: string;
  /** `remainingMs`: the remaining grace time, at least 0. */
  run(remainingMs: number): Promise<unknown>;
}

export interface DrainSettings {
  readonly graceMs: number;
  readonly logger: Logger;
  /** Run in order. A failed step is logged and does not stop the others. */
  readonly steps: readonly DrainStep[];
  readonly exit?: (code: number) => void;
  readonly now?: () => number;
}

const EXIT_MARGIN_MS = 3_000;

/**
 * Shuts a process down. The first SIGTERM or SIGINT makes the process unready. The steps run in order within the grace
 * time, then the process exits with 0. A second signal, or the end of the grace time, exits with 1.
 */
export class Drain {
  #isDraining = false;

  constructor(private readonly settings: DrainSettings) {}

  get isDraining(): boolean {
    return this.#isDraining;
  }

  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.start(signal));
  }

  async start(reason: string): Promise<void> {
    const { logger, graceMs, steps, exit = process.exit, now = Date.now } = this.settings;
    if (this.#isDraining) {
      exit(1);
      return;
    }
    this.#isDraining = true;
    logger.info({ reason }, 'draining');
    const endsAtMs = now() + graceMs;
    const timer = setTimeout(() => {
      logger.error('grace time exceeded');
      exit(1);
    }, graceMs + EXIT_MARGIN_MS);
    timer.unref();
    for (const step of steps) {
      try {
        await step.run(Math.max(0, endsAtMs - now()));
      } catch (err) {
        logger.error({ err }, `drain step failed: ${step.name}`);
      }
    }
    clearTimeout(timer);
    logger.info('drained');
    exit(0);
  }
}
