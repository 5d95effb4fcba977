import { setTimeout as sleep } from 'node:timers/promises';
import { isHttpFailure } from '@gateway/http';
import { type EdgeClient, type EdgeResponse, ResponseTooLarge } from './edge-client.js';
import { followRequest } from './follow-request.js';
import { admittedIdIn, costIn, type Judgement, judgeResponse, mayRunAgain } from './judge-response.js';
import type { LinePace } from './line-pace.js';

/** A line that is a request. */
export interface SentLine {
  readonly number: number;
  readonly body: Buffer;
  /** It may have begun in an earlier run, so it must end. */
  readonly mayHaveBegun: boolean;
}

/** How a request ended. `undefined`: it has not begun, because the batch stops, or this process does. */
export type SentEnd =
  | {
      readonly response: { readonly status: number; readonly requestId: string; readonly body: Buffer };
      readonly costNanoUsd: bigint;
    }
  | { readonly error: { readonly code: string; readonly message: string }; readonly costNanoUsd: bigint }
  | undefined;

export interface LineControl {
  /** Aborts when this process must leave its lines at once: they go on without it. */
  readonly signal: AbortSignal;
  readonly isStopped: () => boolean;
  /** Lines of the batch that have ended. */
  readonly endedLines: () => number;
  /** No line can begin. True, after a pause: send it again. `endedBefore`: lines that had ended when it was sent. */
  readonly onBlocked: (by: 'credit' | 'budget' | 'key', endedBefore: number) => Promise<boolean>;
  readonly onWait: (reason: 'limited' | 'unavailable' | 'run_again') => void;
}

const MAX_ATTEMPTS = 3;
const AGAIN_MS = 2_000;
const UNAVAILABLE_MS = 1_000;

/** Not `undefined`, because the request may have run and may be charged. */
const KEY_HAS_ENDED: SentEnd = {
  error: { code: 'result_lost', message: 'It may have run, and its result cannot be read: its key has ended.' },
  costNanoUsd: 0n,
};

const resultLost = (costNanoUsd: bigint): SentEnd => ({
  error: { code: 'result_lost', message: 'Its result is not kept any more.' },
  costNanoUsd,
});

const tooLarge = (requestId: string, costNanoUsd: bigint): SentEnd => ({
  error: {
    code: 'response_too_large',
    message: `Its response is too large for a batch: GET /v1/requests/${requestId}/result has it.`,
  },
  costNanoUsd,
});

type Ended = Extract<Judgement, { kind: 'ended' }> & { readonly response: EdgeResponse };
/** `again`: after so many milliseconds. */
type Step = { readonly end: SentEnd } | { readonly again: number };

/** Sends one line until it has ended. Its idempotency key makes every repetition return the same request. */
export class SendLine {
  #attempt = 0;
  #mayHaveBegun: boolean;

  constructor(
    private readonly edge: EdgeClient,
    private readonly pace: LinePace,
    private readonly control: LineControl,
    private readonly line: SentLine & { readonly batchId: string; readonly path: string },
  ) {
    this.#mayHaveBegun = line.mayHaveBegun;
  }

  async run(): Promise<SentEnd> {
    const { signal } = this.control;
    while (!signal.aborted) {
      const step = await this.#step().catch((error: unknown) => this.#failed(error));
      if ('end' in step) return step.end;
      await sleep(step.again, undefined, { signal }).catch(() => undefined);
      if (this.control.isStopped() && !this.#mayHaveBegun) return undefined;
    }
    return undefined;
  }

  async #step(): Promise<Step> {
    const { batchId, number, path, body } = this.line;
    const idempotencyKey = `${batchId}:${number}${this.#attempt === 0 ? '' : `:${this.#attempt}`}`;
    const endedBefore = this.control.endedLines();
    const response = await this.edge.post({ path, body, idempotencyKey }, this.control.signal);
    const judgement = judgeResponse(response);
    switch (judgement.kind) {
      case 'ended':
        return this.#ended({ ...judgement, response });
      case 'running':
        return this.#follow(judgement.requestId, response);
      case 'refused':
        return { end: { response: { ...response, requestId: judgement.requestId }, costNanoUsd: 0n } };
      case 'later':
        return this.#later(judgement, response.status);
      case 'blocked':
        if (await this.control.onBlocked(judgement.by, endedBefore)) return { again: 0 };
        return { end: judgement.by === 'key' && this.#mayHaveBegun ? KEY_HAS_ENDED : undefined };
    }
  }

  #ended({ response, requestId, costNanoUsd }: Ended): Step {
    this.pace.onEnded(response.headers, Date.now());
    const canRepeat = this.#attempt + 1 < MAX_ATTEMPTS && !this.control.isStopped();
    if (canRepeat && mayRunAgain(response.status, costNanoUsd)) {
      this.#attempt += 1;
      this.#mayHaveBegun = false;
      this.control.onWait('run_again');
      return { again: AGAIN_MS * this.#attempt };
    }
    return { end: { response: { ...response, requestId }, costNanoUsd } };
  }

  async #follow(requestId: string, { headers }: EdgeResponse): Promise<Step> {
    const end = await followRequest(this.edge, requestId, this.control.signal);
    if (end.kind === 'gone') return { end: resultLost(end.costNanoUsd) };
    if (end.kind === 'too_large') return { end: tooLarge(requestId, end.costNanoUsd) };
    if (end.kind === 'key') {
      await this.control.onBlocked('key', this.control.endedLines());
      return { end: KEY_HAS_ENDED };
    }
    const { response, costNanoUsd } = end;
    return this.#ended({ kind: 'ended', requestId, costNanoUsd, response: { ...response, headers } });
  }

  #later({ afterMs, isLimited }: Extract<Judgement, { kind: 'later' }>, status: number): Step {
    if (isLimited) this.pace.onLimited();
    this.control.onWait(isLimited ? 'limited' : 'unavailable');
    // 409: it runs already. Another failure than 503 says nothing about what has begun.
    if (status === 409 || (status >= 500 && status !== 503)) this.#mayHaveBegun = true;
    // Spread, so that lines do not all return at once.
    return { again: afterMs * (1 + Math.random()) };
  }

  #failed(error: unknown): Step {
    if (this.control.signal.aborted) return { end: undefined };
    if (error instanceof ResponseTooLarge) {
      return { end: tooLarge(admittedIdIn(error.headers) ?? '{id}', costIn(error.headers)) };
    }
    if (!isHttpFailure(error)) throw error;
    this.#mayHaveBegun ||= error.wasSent;
    this.control.onWait('unavailable');
    return { again: UNAVAILABLE_MS * (1 + Math.random()) };
  }
}
