import { Slab } from '@gateway/collections';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

const INTERVAL_MS = 250;

/**
 * One shared timer for all running streams, so that they report usage four times a second and not once a chunk. It stops
 * while no stream runs: a timer wakes the process.
 */
@Injectable()
export class UsageTicker implements OnApplicationShutdown {
  readonly #listeners = new Slab<() => void>();
  #timer: NodeJS.Timeout | undefined;

  onApplicationShutdown(): void {
    this.#stop();
  }

  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    const place = this.#listeners.insert(listener);
    this.#timer ??= setInterval(() => this.#tick(), INTERVAL_MS);
    return () => this.#listeners.remove(place, listener);
  }

  #tick(): void {
    if (this.#listeners.size === 0) this.#stop();
    for (const listener of this.#listeners) listener();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
