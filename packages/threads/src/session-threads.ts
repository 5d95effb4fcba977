import { Worker } from 'node:worker_threads';
import { GatewayError } from '@gateway/contracts';
import { CLOSE, OPEN, type SessionCall, type SessionReply } from './session-messages.js';
import { threadFailed } from './thread-failed.js';

export interface SessionThreadsOptions {
  /** The compiled file that calls `serveSessions`. */
  readonly file: URL;
  readonly maxThreads: number;
  /** Receives the fault of a handler, which its caller gets too, or of a thread, whose callers get a 503. */
  readonly onFault: (error: unknown) => void;
}

/** A thread without a session ends after this. Most processes never need one, and a start takes a quarter of a second. */
const IDLE_MS = 60_000;

/** What a thread keeps between calls. */
export interface ThreadSession {
  /** Runs the handler with this name. `transfer`: memory of the input that moves. Throws what the handler throws, or 503. */
  call<Output>(name: string, input: unknown, transfer?: readonly ArrayBuffer[]): Promise<Output>;
  /** Frees what the thread keeps. */
  close(): void;
}

/** Runs functions with a state outside the event loop: each session stays in one thread, the least busy one at its start. */
export class SessionThreads {
  readonly #threads = new Set<SessionThread>();

  constructor(private readonly options: SessionThreadsOptions) {}

  /** `output`: what the thread's `open` returned. Throws its GatewayError, and 503 if the thread failed. */
  async open<Output>(
    input: unknown,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<{ readonly session: ThreadSession; readonly output: Output }> {
    const session = this.#leastBusy().begin();
    try {
      return { session, output: await session.call<Output>(OPEN, input, transfer) };
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Calls that still run fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #leastBusy(): SessionThread {
    const [first] = [...this.#threads].sort((one, other) => one.sessionCount - other.sessionCount);
    const mayStart = this.#threads.size < this.options.maxThreads;
    if (first !== undefined && (first.sessionCount === 0 || !mayStart)) return first;
    const thread = new SessionThread(this.options, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }
}

interface OpenCall {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class SessionThread {
  readonly #worker: Worker;
  readonly #calls = new Map<number, OpenCall>();
  readonly #sessions = new Set<number>();
  readonly #onFault: (error: unknown) => void;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;
  #isEnding = false;
  #hasEnded = false;

  constructor(
    { file, onFault }: SessionThreadsOptions,
    private readonly onEnd: () => void,
  ) {
    this.#onFault = onFault;
    this.#worker = new Worker(file);
    this.#worker.on('message', (reply: SessionReply) => this.#onReply(reply));
    this.#worker.on('error', (error) => this.#onEnded(error));
    this.#worker.on('exit', () => this.#onEnded(new Error('the thread has ended')));
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  begin(): ThreadSession {
    const session = this.#nextId();
    this.#sessions.add(session);
    clearTimeout(this.#idle);
    return {
      call: (name, input, transfer = []) => this.#call({ session, call: this.#nextId(), name, input }, transfer),
      close: () => this.#close(session),
    };
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    this.#isEnding = true;
    // No further session may begin here.
    this.onEnd();
    await this.#worker.terminate();
  }

  #call<Output>(called: SessionCall, transfer: readonly ArrayBuffer[]): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) return reject(threadFailed(new Error('the thread has ended')));
      this.#calls.set(called.call, { resolve: resolve as (output: unknown) => void, reject });
      this.#worker.postMessage(called, transfer);
    });
  }

  #close(session: number): void {
    if (!this.#sessions.delete(session) || this.#hasEnded) return;
    this.#worker.postMessage({ session, call: 0, name: CLOSE, input: undefined } satisfies SessionCall);
    if (this.#sessions.size > 0) return;
    this.#idle = setTimeout(() => void this.end(), IDLE_MS);
    this.#idle.unref();
  }

  #onReply(reply: SessionReply): void {
    const open = this.#calls.get(reply.call);
    this.#calls.delete(reply.call);
    if (open === undefined) return;
    if ('output' in reply) open.resolve(reply.output);
    else if ('refused' in reply) open.reject(GatewayError.fromRecord(reply.refused));
    else {
      const fault = new Error(reply.failed);
      this.#onFault(fault);
      // As in the event loop: the thread goes on, and the same input would fail again.
      open.reject(fault);
    }
  }

  #onEnded(cause: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.onEnd();
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    // A thread that dies while its sessions wait fails the next call of each.
    if (calls.length > 0 || !this.#isEnding) this.#onFault(cause);
    for (const { reject } of calls) reject(threadFailed(cause));
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
