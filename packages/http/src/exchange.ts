import type { Dispatcher } from 'undici';
import { HttpFailure } from './http-failure.js';
import type { BodyFlow } from './response-body.js';

const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
  'TimeoutError',
]);

/** undici's codes for invalid arguments: a fault of the caller, not of the network. */
const MISUSE_CODES = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'ERR_INVALID_URL']);

/** One request and its response: it aborts them and classifies their failures. */
export class Exchange implements BodyFlow {
  #wasSent = false;
  #controller: Dispatcher.DispatchController | undefined;
  #onAbort: (() => void) | undefined;

  constructor(
    private readonly signal: AbortSignal | undefined,
    private readonly onSent?: () => void,
  ) {}

  /** True once undici started to write the request to a connected socket. */
  get wasSent(): boolean {
    return this.#wasSent;
  }

  /**
   * Lets the signal abort the exchange until it ends. It calls `onAbort` at once. undici reacts only once the request
   * has a connection, and a caller must not wait for that.
   */
  followSignal(onAbort: (reason: unknown) => void): void {
    const { signal } = this;
    if (signal === undefined) return;
    this.#onAbort = () => {
      this.#controller?.abort(signal.reason);
      onAbort(signal.reason);
    };
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** undici is about to write the request. A request that was aborted while queued stops here, before its first byte. */
  start(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.signal?.aborted === true) controller.abort(this.signal.reason);
    if (this.#wasSent || controller.aborted) return;
    this.#wasSent = true;
    this.onSent?.();
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  cut(): void {
    this.#controller?.abort(new Error('the reader stopped before the end of the response'));
  }

  /** The exchange is over: the signal has no effect any more. */
  end(): void {
    if (this.#onAbort !== undefined) this.signal?.removeEventListener('abort', this.#onAbort);
  }

  /** Classifies every error as a HttpFailure, except misuse. */
  classify(error: unknown): Error {
    if (error instanceof HttpFailure) return error;
    if (this.signal?.aborted === true) return this.aborted(this.signal.reason);
    const code = codeOf(error);
    if (MISUSE_CODES.has(code)) return error as Error;
    const facts = { wasSent: this.wasSent, isTimeout: TIMEOUT_CODES.has(code), code };
    return new HttpFailure(this.wasSent ? 'ambiguous' : 'connect', facts, error);
  }

  tooLarge(limitBytes: number): HttpFailure {
    const facts = { wasSent: true, isTimeout: false, code: 'TOO_LARGE' };
    return new HttpFailure('too_large', facts, new RangeError(`the response body exceeds ${limitBytes} bytes`));
  }

  private aborted(reason: unknown): HttpFailure {
    const isTimeout = TIMEOUT_CODES.has(nameOf(reason));
    return new HttpFailure('aborted', { wasSent: this.wasSent, isTimeout, code: 'ABORTED' }, reason);
  }
}

function fieldOf(error: unknown, field: 'code' | 'name'): string | undefined {
  const value: unknown = Object(error)[field];
  return typeof value === 'string' ? value : undefined;
}

const nameOf = (error: unknown): string => fieldOf(error, 'name') ?? 'UNKNOWN';
const codeOf = (error: unknown): string => fieldOf(error, 'code') ?? nameOf(error);
