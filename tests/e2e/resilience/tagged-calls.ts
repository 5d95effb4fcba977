import { type SimulatorClient } from '@gateway/testing';

const TAG = /mark-(\d+)-end/;

export const tagOf = (number: number): string => `mark-${number}-end`;

/**
 * Matches upstream calls to requests by a tag in the prompt, independent of what the gateway reports. The simulator
 * stores the last 200 requests, so they are collected during the traffic.
 */
export class TaggedCalls {
  readonly #numberBySeq = new Map<number, number>();
  #since: number;
  #running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly simulator: SimulatorClient,
    since: number,
  ) {
    this.#since = since;
  }

  static async from(simulator: SimulatorClient): Promise<TaggedCalls> {
    return new TaggedCalls(simulator, await simulator.lastSeq());
  }

  collect(): Promise<void> {
    this.#running = this.#running.then(() => this.#collect());
    return this.#running;
  }

  /** The tag in the prompt of an upstream call. Throws for a call without one, or one that was not collected. */
  numberOf(seq: number): number {
    const number = this.#numberBySeq.get(seq);
    if (number === undefined) throw new Error(`the upstream call ${seq} belongs to no request`);
    return number;
  }

  async #collect(): Promise<void> {
    for (const { seq, body } of await this.simulator.requests(this.#since)) {
      const number = TAG.exec(body)?.[1];
      if (number !== undefined) this.#numberBySeq.set(seq, Number(number));
      this.#since = Math.max(this.#since, seq);
    }
  }
}
