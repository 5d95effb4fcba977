import type { Logger } from './logger.js';

export interface DrainStep {
  readonly name: string;
  /** `remainingMs` is what is left of the grace time. */
  run(remainingMs: number): Promise<unknown>;
}

export interface DrainSettings {
  readonly graceMs: number;
  readonly logger: Logger;
  /** In order; a step that fails is logged and does not stop the others. */
  readonly steps: readonly DrainStep[];
  readonly exit?: (code: number) => void;
  readonly now?: () => number;
}

const EXIT_MARGIN_MS = 3_000;

/**
 * A rollout's end of a process: from the first SIGTERM it is not ready any more, its steps run in order within the grace
 * time, and it exits. A second signal ends it at once.
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
      logger.error('the grace time has passed');
      exit(1);
    }, graceMs + EXIT_MARGIN_MS);
    timer.unref();
    for (const step of steps) {
      try {
        await step.run(Math.max(0, endsAtMs - now()));
      } catch (err) {
        logger.error({ err }, `drain: ${step.name}`);
      }
    }
    clearTimeout(timer);
    logger.info('drained');
    exit(0);
  }
}
