import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

const EVERY_MS = 250;

/** Lets every running stream tell its edge what it has used so far, a few times a second and not once a chunk. */
@Injectable()
export class MeterClock implements OnModuleInit, OnApplicationShutdown {
  readonly #beats = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  onModuleInit(): void {
    this.#timer = setInterval(() => {
      for (const beat of this.#beats) beat();
    }, EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Returns what ends it. */
  onBeat(beat: () => void): () => void {
    this.#beats.add(beat);
    return () => this.#beats.delete(beat);
  }
}
