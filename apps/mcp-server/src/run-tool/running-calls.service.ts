import { ERRORS } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { MCP_CONFIG, type McpConfig } from '../mcp-config.js';
import { ToolFailure } from '../tool-failure.js';

/** How a client names a call when it wants to cancel it. */
export interface CallName {
  readonly keySha256: string;
  /** Tells clients of one key apart, which count their requests alike. Empty for those that do not send it back. */
  readonly sessionId: string;
  readonly requestId: string | number;
}

interface RunningCall {
  readonly name: CallName;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** The tool calls in hand: what a client may cancel by name, and what a rollout waits for. */
@Injectable()
export class RunningCalls {
  readonly #calls = new Set<RunningCall>();

  constructor(@Inject(MCP_CONFIG) private readonly config: McpConfig) {}

  /**
   * Runs the work under a signal that the client's cancellation, or the end of the grace time, aborts. Throws a
   * ToolFailure if the key has too many calls in hand.
   */
  async run<Result>(
    name: CallName,
    left: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { callsPerKey } = this.config;
    if ([...this.#calls].filter((call) => call.name.keySha256 === name.keySha256).length >= callsPerKey) {
      const words = `This key has ${callsPerKey} tool calls running here, which is the most.`;
      throw new ToolFailure('rate_limit_exceeded', words, {
        status: ERRORS.rate_limit_exceeded.status,
        retryAfterSeconds: 1,
      });
    }
    const controller = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const call = { name, controller, done };
    this.#calls.add(call);
    try {
      return await work(AbortSignal.any([left, controller.signal]));
    } finally {
      this.#calls.delete(call);
      resolve();
    }
  }

  /** Cancels the call of that name. Where several have it nobody can know which was meant, and all go on. */
  cancel(name: CallName): void {
    const meant = [...this.#calls].filter((call) => isSame(call.name, name));
    if (meant.length === 1) meant[0]?.controller.abort();
  }

  /** Waits for the calls in hand, and breaks off those that are not done by then. */
  async drain(remainingMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const { controller } of this.#calls) controller.abort();
    }, remainingMs);
    while (this.#calls.size > 0) await Promise.all([...this.#calls].map(({ done }) => done));
    clearTimeout(timer);
  }
}

const isSame = (one: CallName, other: CallName): boolean =>
  one.keySha256 === other.keySha256 && one.sessionId === other.sessionId && one.requestId === other.requestId;
