import { GatewayError } from '@gateway/contracts';
import { Piscina } from 'piscina';
import type { ThreadReply } from './in-thread.js';
import { threadFailed } from './thread-failed.js';

export interface ThreadPoolOptions {
  /** The compiled file of the handlers: each named export is one, made by `inThread`. */
  readonly file: URL;
  readonly maxThreads: number;
  /** Receives the fault of a handler or of a thread, or that a handler took too long. Its caller gets a 503. */
  readonly onFault: (error: unknown) => void;
}

/** Most processes never need a thread. One that does keeps it for a while: a start takes a quarter of a second. */
const IDLE_MS = 60_000;
/** More than the largest body needs. The limit ends a thread, never the process. */
const MAX_HEAP_MB = 512;
const RUN_TIMEOUT_MS = 10_000;

/** Runs pure functions outside the event loop. */
export class ThreadPool {
  readonly #pool: Piscina;
  readonly #onFault: (error: unknown) => void;
  #isClosing = false;

  constructor({ file, maxThreads, onFault }: ThreadPoolOptions) {
    this.#onFault = onFault;
    this.#pool = new Piscina({
      filename: file.href,
      minThreads: 0,
      maxThreads,
      idleTimeout: IDLE_MS,
      // A thread that waits for its next call without an event loop would never collect its garbage.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
  }

  /**
   * Runs the handler with this name. `transfer` lists memory of the input that moves instead of being copied; it is empty
   * here afterwards. Throws the handler's own GatewayError, and 503 if the thread failed or took too long.
   */
  async run<Output>(name: string, input: unknown, transfer: readonly ArrayBuffer[] = []): Promise<Output> {
    const signal = AbortSignal.timeout(RUN_TIMEOUT_MS);
    const reply = (await this.#pool
      // Its declaration takes the type of the list from another overload of `postMessage`.
      .run(input, { name, signal, transferList: [...transfer] as never })
      .catch((cause: unknown) => {
        if (!this.#isClosing) this.#onFault(cause);
        throw threadFailed(cause);
      })) as ThreadReply<Output>;
    if ('refused' in reply) throw GatewayError.fromRecord(reply.refused);
    return reply.output;
  }

  /** Calls that still run fail. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#pool.destroy();
  }
}
