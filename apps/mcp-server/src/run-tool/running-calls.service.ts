import type { McpServerConfig } from '@gateway/config';
import { ERRORS } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { MCP_CONFIG } from '../tokens.js';
import { ToolFailure } from '../tool-failure.js';

/** Identifies a call in a `notifications/cancelled` message. */
export interface CallId {
  readonly keySha256: string;
  /** Separates clients of one key: they number their requests alike. Empty if the client sends no session header. */
  readonly sessionId: string;
  readonly requestId: string | number;
}

interface RunningCall {
  readonly id: CallId;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Tracks running tool calls: clients cancel them by id, and a shutdown waits for them. */
@Injectable()
export class RunningCalls {
  readonly #calls = new Set<RunningCall>();

  constructor(@Inject(MCP_CONFIG) private readonly config: McpServerConfig) {}

  /**
   * Runs `work` under a signal that a disconnect, a cancellation or the end of the grace time aborts.
   * Throws a ToolFailure (429) if the key already runs `MCP_CALLS_PER_KEY` calls here.
   */
  async run<Result>(
    id: CallId,
    disconnected: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { callsPerKey } = this.config;
    if ([...this.#calls].filter((call) => call.id.keySha256 === id.keySha256).length >= callsPerKey) {
      const message = `This key has ${callsPerKey} tool calls running here, which is the maximum.`;
      throw new ToolFailure('rate_limit_exceeded', message, {
        status: ERRORS.rate_limit_exceeded.status,
        retryAfterSeconds: 1,
      });
    }
    const controller = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const call = { id, controller, done };
    this.#calls.add(call);
    try {
      return await work(AbortSignal.any([disconnected, controller.signal]));
    } finally {
      this.#calls.delete(call);
      resolve();
    }
  }

  /** Cancels the call with this id. Does nothing if several calls share the id: the right one is unknown. */
  cancel(id: CallId): void {
    const matches = [...this.#calls].filter((call) => isSameId(call.id, id));
    if (matches.length === 1) matches[0]?.controller.abort();
  }

  /** Waits for the running calls, and aborts those that still run after `remainingMs`. */
  async drain(remainingMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { controller } of this.#calls) controller.abort();
    }, remainingMs);
    while (this.#calls.size > 0) await Promise.all([...this.#calls].map(({ done }) => done));
    clearTimeout(timer);
  }
}

const isSameId = (one: CallId, other: CallId): boolean =>
  one.keySha256 === other.keySha256 && one.sessionId === other.sessionId && one.requestId === other.requestId;
