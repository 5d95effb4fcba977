import { type SimulatorClient } from '@gateway/testing';

const MARKER = /mark-(\d+)-end/;

export const markOf = (number: number): string => `mark-${number}-end`;

/**
 * Matches upstream calls to requests by a tag in the prompt, independent of what the gateway reports. The simulator
 * stores the last 200 requests, so they are collected during the traffic.
 */
export class MarkedCalls {
  readonly #numberBySeq = new Map<number, number>();
  #since: number;
  #turn: Promise<void> = Promise.resolve();

  private constructor(
    private readonly simulator: SimulatorClient,
    since: number,
  ) {
    this.#since = since;
  }

  static async from(simulator: SimulatorClient): Promise<MarkedCalls> {
    return new MarkedCalls(simulator, await simulator.lastSeq());
  }

  gather(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#gather());
    return this.#turn;
  }

  /** The tag in the prompt of an upstream call. Throws for a call without one, or one that was not collected. */
  numberOf(seq: number): number {
    const number = this.#numberBySeq.get(seq);
    if (number === undefined) throw new Error(`the upstream call ${seq} belongs to no request`);
    return number;
  }

  async #gather(): Promise<void> {
    for (const { seq, body } of await this.simulator.requests(this.#since)) {
      const number = MARKER.exec(body)?.[1];
      if (number !== undefined) this.#numberBySeq.set(seq, Number(number));
      this.#since = Math.max(this.#since, seq);
    }
  }
}
