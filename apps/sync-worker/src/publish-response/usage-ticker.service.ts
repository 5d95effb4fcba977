import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const INTERVAL_MS = 250;

/** One shared timer for all running streams, so that they report usage four times a second and not once a chunk. */
@Injectable()
export class UsageTicker implements OnModuleInit, OnApplicationShutdown {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  onModuleInit(): void {
    this.#timer = setInterval(() => {
      for (const listener of this.#listeners) listener();
    }, INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
