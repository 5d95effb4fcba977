import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AudioEncoder } from './audio-encoder.js';
import type { Encoded, Order } from './thread-messages.js';

const THREAD = new URL(`./mp3-thread${extname(import.meta.url)}`, import.meta.url);

type Waiting = PromiseWithResolvers<Uint8Array>;

/** One running thread and who waits for its answers, in order for each sound. */
class Mp3Thread {
  readonly #worker = new Worker(THREAD);
  readonly #waiting = new Map<number, Waiting[]>();
  isLost = false;

  constructor() {
    // A thread that has nothing to do keeps no process alive.
    this.#worker.unref();
    this.#worker.on('message', (answer: Encoded) => this.#onAnswer(answer));
    this.#worker.on('error', (error: Error) => this.#onLost(error));
    this.#worker.on('exit', () => this.#onLost(new Error('the thread that encodes MP3 has ended')));
  }

  ask(order: Exclude<Order, { kind: 'discard' }>, transfer: readonly ArrayBuffer[] = []): Promise<Uint8Array> {
    if (this.isLost) return Promise.reject(new Error('the thread that encodes MP3 was lost'));
    const waiting = Promise.withResolvers<Uint8Array>();
    const queue = this.#waiting.get(order.sound);
    if (queue === undefined) this.#waiting.set(order.sound, [waiting]);
    else queue.push(waiting);
    this.#worker.postMessage(order, transfer);
    return waiting.promise;
  }

  discard(sound: number): void {
    if (!this.isLost) this.#worker.postMessage({ kind: 'discard', sound } satisfies Order);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #onAnswer(answer: Encoded): void {
    const queue = this.#waiting.get(answer.sound);
    const waiting = queue?.shift();
    if (queue?.length === 0) this.#waiting.delete(answer.sound);
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.bytes);
  }

  #onLost(error: Error): void {
    this.isLost = true;
    for (const waiting of [...this.#waiting.values()].flat()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/** Sounds of one process encoded in one thread of their own, started with the first; a lost one is replaced for the next sound. */
export class Mp3Encoders {
  #thread: Mp3Thread | undefined;
  #lastSound = 0;

  async open(sampleRateHz: number): Promise<AudioEncoder> {
    if (this.#thread === undefined || this.#thread.isLost) this.#thread = new Mp3Thread();
    const thread = this.#thread;
    this.#lastSound += 1;
    const sound = this.#lastSound;
    await thread.ask({ kind: 'open', sound, sampleRateHz });
    let isOver = false;
    return {
      encode: (samples) => {
        // The samples may be a view of a buffer that somebody else still uses: the thread is given a copy.
        const own = Uint8Array.from(samples);
        return thread.ask({ kind: 'encode', sound, samples: own }, [own.buffer]);
      },
      finish: () => {
        isOver = true;
        return thread.ask({ kind: 'finish', sound });
      },
      discard: () => {
        if (!isOver) thread.discard(sound);
        isOver = true;
      },
    };
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
