/** What should be true of one request's money, in whichever store it is. */
export interface ModelRequest {
  /** Open in this life of Redis. */
  hold: bigint | null;
  /** Settled in this life of Redis. */
  isSettled: boolean;
  /** What the ledger has booked; null: nothing yet. */
  booked: bigint | null;
  isReversed: boolean;
}

export interface ModelEvent {
  readonly request: number;
  readonly cost: bigint;
}

/** One customer's money over ledger and Redis, in memory: what is owned, what is held, what is on its way. */
export class MoneyModel {
  readonly requests: ModelRequest[] = [];
  /** In the usage stream, acknowledged by nobody. */
  stream: ModelEvent[] = [];
  /** Of those, in the ledger already: its booker died before it acknowledged. */
  recorded = new Set<ModelEvent>();
  owned = 0n;
  /** Redis has an epoch. */
  isOpen = true;
  /** The ledger follows it. */
  isFollowed = true;

  get held(): bigint {
    return this.requests.reduce((sum, { hold }) => sum + (hold ?? 0n), 0n);
  }

  get unsettled(): bigint {
    return this.stream.reduce((sum, { cost }) => sum + cost, 0n);
  }

  /**
   * What a new hold may take: owned, less what is held, less what has been used and is not booked. A cost that is taken
   * twice, because Redis forgot the first time, stands in the way until the ledger gives it back.
   */
  get available(): bigint {
    const onItsWay = this.stream.filter((event) => !this.recorded.has(event));
    return this.owned - this.held - onItsWay.reduce((sum, { cost }) => sum + cost, 0n);
  }

  settle(index: number, cost: bigint): boolean {
    const request = this.requests[index];
    if (request === undefined || request.isSettled) return false;
    request.hold = null;
    request.isSettled = true;
    this.stream.push({ request: index, cost });
    return true;
  }

  /** The ledger books an event; one of a request that it has already changes nothing. */
  record(event: ModelEvent): void {
    const request = this.requests[event.request];
    if (request?.booked !== null) return;
    request.booked = event.cost;
    this.owned -= event.cost;
    this.recorded.add(event);
  }

  acknowledge(events: readonly ModelEvent[]): void {
    this.stream = this.stream.filter((event) => !events.includes(event));
    for (const event of events) this.recorded.delete(event);
  }

  /** Everything in Redis is gone: holds, settlements that nobody had booked, and what was handed over. */
  emptyRedis(): void {
    for (const request of this.requests) {
      request.hold = null;
      request.isSettled = false;
    }
    this.stream = [];
    this.recorded.clear();
    this.isOpen = false;
    this.isFollowed = false;
  }
}
