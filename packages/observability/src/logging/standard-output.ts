import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

/** Bytes that may wait for a reader. Further text is lost: the memory of the process belongs to its requests. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** A failed write is repeated after it: the pipe or the disk is full. */
const RETRY_MS = 50;
/** A flush without progress ends after it, so that a process whose reader stands still can exit. */
const FLUSH_MS = 1_000;
const PAUSE_MS = 10;
/** The write of a thread takes microseconds, unless the pipe is full. */
const WRITE_MS = 100;

const NEWLINE = 0x0a;

const countLines = (text: Buffer): number => text.reduce((lines, byte) => (byte === NEWLINE ? lines + 1 : lines), 0);

const waitSync = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

interface Target {
  readonly fd: number;
  /** A write to it never waits, so it needs no thread. */
  readonly isPrompt: boolean;
}

/**
 * Opens the pipe at `fd` again, so that a write to a full pipe fails at once. With `fd` itself it would block its thread, and
 * a flush would block the process. Other files have no such reader.
 */
function openTarget(fd: number): Target {
  if (!fstatSync(fd).isFIFO()) return { fd, isPrompt: false };
  try {
    return { fd: openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK), isPrompt: true };
  } catch {
    return { fd, isPrompt: false };
  }
}

/**
 * Writes text to a descriptor and never waits for its reader. A full pipe or a full disk costs lines and not the process:
 * text waits up to a limit; beyond it text is lost, and its lines are counted.
 */
export class StandardOutput {
  readonly #target: Target;
  readonly #maxWaitingBytes: number;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #lostLines = 0;
  /** `paused`: the last write failed, and is repeated. */
  #state: 'idle' | 'writing' | 'paused' | 'closed' = 'idle';
  /** Receives the number of lost lines once the output writes again. */
  onLost: (lines: number) => void = () => undefined;

  constructor(fd: number, maxWaitingBytes: number = MAX_WAITING_BYTES) {
    this.#target = openTarget(fd);
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** True while text is not yet with the operating system. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  write(text: string): void {
    if (this.#state === 'closed') return;
    const bytes = Buffer.from(text);
    if (this.#waitingBytes + bytes.length > this.#maxWaitingBytes) {
      this.#lostLines += countLines(bytes);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#state === 'idle') this.#writeWaiting();
  }

  /**
   * Returns once all text is with the operating system, or cannot be. A thread that writes gets time first: its text comes
   * before the rest, and a process that exits would lose it.
   */
  flushSync(): void {
    if (this.#state === 'writing' && this.isWaiting) {
      waitSync(WRITE_MS);
      this.#remove((this.#waiting[0] as Buffer).length);
    }
    for (let pausedMs = 0; this.isWaiting && pausedMs < FLUSH_MS; pausedMs += PAUSE_MS) {
      const before = this.#waitingBytes;
      const error = this.#writeAtOnce();
      if (error !== undefined && codeOf(error) !== 'EAGAIN') return;
      if (this.#waitingBytes < before) pausedMs = 0;
      if (this.isWaiting) waitSync(PAUSE_MS);
    }
  }

  #writeWaiting(): void {
    this.#state = 'idle';
    if (this.#target.isPrompt) this.#afterWrite(this.#writeAtOnce());
    else if (this.isWaiting) this.#writeInThread();
    else this.#reportLost();
  }

  /** Returns the error that stopped it; undefined: no text waits. */
  #writeAtOnce(): unknown {
    try {
      while (this.isWaiting) this.#remove(writeSync(this.#target.fd, this.#waiting[0] as Buffer));
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #writeInThread(): void {
    const first = this.#waiting[0] as Buffer;
    this.#state = 'writing';
    write(this.#target.fd, first, (error, written) => {
      // A flush may have removed it meanwhile.
      if (error === null && this.#waiting[0] === first) this.#remove(written);
      if (error === null) this.#writeWaiting();
      else this.#afterWrite(error);
    });
  }

  #afterWrite(error: unknown): void {
    if (error === undefined) this.#reportLost();
    else if (codeOf(error) === 'EPIPE') this.#close();
    else {
      this.#state = 'paused';
      setTimeout(() => this.#writeWaiting(), RETRY_MS).unref();
    }
  }

  /** Removes bytes from the first text. */
  #remove(bytes: number): void {
    const rest = (this.#waiting[0] as Buffer).subarray(bytes);
    if (rest.length > 0) this.#waiting[0] = rest;
    else this.#waiting.shift();
    this.#waitingBytes -= bytes;
  }

  /** The reader is gone for ever. */
  #close(): void {
    this.#state = 'closed';
    this.#waiting.length = 0;
  }

  #reportLost(): void {
    const lines = this.#lostLines;
    this.#lostLines = 0;
    if (lines > 0) this.onLost(lines);
  }
}
