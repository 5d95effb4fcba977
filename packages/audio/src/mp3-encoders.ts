import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AudioEncoder } from './audio-encoder.js';
import type { ThreadRequest, ThreadResponse } from './thread-messages.js';

const THREAD = new URL(`./mp3-thread${extname(import.meta.url)}`, import.meta.url);

type Pending = PromiseWithResolvers<Uint8Array>;

/** One thread and its pending requests, in order for each stream. */
class Mp3Thread {
  readonly #worker = new Worker(THREAD);
  readonly #pending = new Map<number, Pending[]>();
  isLost = false;

  constructor() {
    // An idle thread must not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (response: ThreadResponse) => this.#onResponse(response));
    this.#worker.on('error', (error: Error) => this.#onLost(error));
    this.#worker.on('exit', () => this.#onLost(new Error('the MP3 thread has ended')));
  }

  request(
    request: Exclude<ThreadRequest, { kind: 'discard' }>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Uint8Array> {
    if (this.isLost) return Promise.reject(new Error('the MP3 thread has ended'));
    const pending = Promise.withResolvers<Uint8Array>();
    const queue = this.#pending.get(request.streamId);
    if (queue === undefined) this.#pending.set(request.streamId, [pending]);
    else queue.push(pending);
    this.#worker.postMessage(request, transfer);
    return pending.promise;
  }

  discard(streamId: number): void {
    if (!this.isLost) this.#worker.postMessage({ kind: 'discard', streamId } satisfies ThreadRequest);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #onResponse(response: ThreadResponse): void {
    const queue = this.#pending.get(response.streamId);
    const pending = queue?.shift();
    if (queue?.length === 0) this.#pending.delete(response.streamId);
    if ('error' in response) pending?.reject(new Error(response.error));
    else pending?.resolve(response.bytes);
  }

  #onLost(error: Error): void {
    this.isLost = true;
    for (const pending of [...this.#pending.values()].flat()) pending.reject(error);
    this.#pending.clear();
  }
}

/** Encodes all MP3 streams of a process in one thread. The first stream starts it, and the next one after a crash. */
export class Mp3Encoders {
  #thread: Mp3Thread | undefined;
  #lastStreamId = 0;

  async open(sampleRateHz: number): Promise<AudioEncoder> {
    if (this.#thread === undefined || this.#thread.isLost) this.#thread = new Mp3Thread();
    const thread = this.#thread;
    this.#lastStreamId += 1;
    const streamId = this.#lastStreamId;
    await thread.request({ kind: 'open', streamId, sampleRateHz });
    let isOver = false;
    return {
      encode: (samples) => {
        // A transfer detaches the buffer, and the caller may share its memory.
        const copy = new Uint8Array(samples);
        return thread.request({ kind: 'encode', streamId, samples: copy }, [copy.buffer]);
      },
      finish: () => {
        isOver = true;
        return thread.request({ kind: 'finish', streamId });
      },
      discard: () => {
        if (!isOver) thread.discard(streamId);
        isOver = true;
      },
    };
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
