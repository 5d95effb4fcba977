import { type Logger, withTimeout } from '@gateway/observability';
import type { FinishedResponse, StoredResponses } from '@gateway/postgres';
import { ByteBudget } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { EdgeMetrics } from '../observability/metrics.js';
import { EDGE_METRICS, LOGGER, STORED_RESPONSES } from '../tokens.js';

/** The end of a response waits for its row no longer than this. */
const FOREGROUND_MS = 2_000;
/** A failed write is repeated for so long. */
const RETRY_FOR_MS = 10 * 60_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
/** Memory limit of this process for responses that are not stored yet. */
const MAX_PENDING_BYTES = 128 * 1024 * 1024;

/** Writes finished responses to PostgreSQL. What cannot be written at once is written later, if this process lives. */
@Injectable()
export class ResponseWriter {
  readonly #pending = new Set<Promise<void>>();
  readonly #memory = new ByteBudget(MAX_PENDING_BYTES);

  constructor(
    @Inject(STORED_RESPONSES) private readonly responses: StoredResponses,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once the response is stored, or once its client need not wait longer. Never rejects. */
  async write(finished: FinishedResponse): Promise<void> {
    const bytes = finished.input.length + finished.response.length;
    if (!this.#memory.reserve(bytes)) {
      this.#lose(finished, 'memory', undefined);
      return;
    }
    const first = this.responses.record(finished);
    const stored = first
      .catch((error: unknown) => this.#retry(finished, error))
      .finally(() => {
        this.#memory.release(bytes);
        this.#pending.delete(stored);
      });
    this.#pending.add(stored);
    await withTimeout(
      first.catch(() => undefined),
      FOREGROUND_MS,
      () => undefined,
    );
  }

  /** Waits for the responses that are not stored yet. */
  async drain(withinMs: number): Promise<void> {
    if (this.#pending.size === 0) return;
    await withTimeout(Promise.allSettled(this.#pending), withinMs, () => []);
    if (this.#pending.size > 0) this.logger.error({ count: this.#pending.size }, 'responses lost at shutdown');
  }

  async #retry(finished: FinishedResponse, cause: unknown): Promise<void> {
    this.metrics.storedResponses.inc({ outcome: 'late' });
    this.logger.warn({ err: cause, responseId: finished.id }, 'storing a response failed, will be repeated');
    const untilMs = Date.now() + RETRY_FOR_MS;
    let error = cause;
    for (let delayMs = FIRST_DELAY_MS; Date.now() < untilMs; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      try {
        await this.responses.record(finished);
        return;
      } catch (failure) {
        error = failure;
      }
    }
    this.#lose(finished, 'database', error);
  }

  #lose({ id }: FinishedResponse, reason: string, err: unknown): void {
    this.metrics.storedResponses.inc({ outcome: 'lost' });
    this.logger.error({ err, responseId: id, reason }, 'a response is not stored');
  }
}
