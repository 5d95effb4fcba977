/** The expected state of one request's money, in Redis and in the ledger. */
export interface ModelRequest {
  /** The open hold in this epoch of Redis. */
  hold: bigint | null;
  /** Settled in this epoch of Redis. */
  isSettled: boolean;
  /** The cost in the ledger; null: not recorded. */
  recordedCost: bigint | null;
  isReversed: boolean;
}

export interface ModelEvent {
  readonly request: number;
  readonly cost: bigint;
}

/** A model of one customer's money in the ledger and Redis: the balance, the holds, and the events in transit. */
export class MoneyModel {
  readonly requests: ModelRequest[] = [];
  /** The unacknowledged events of the usage stream. */
  stream: ModelEvent[] = [];
  /** Those of them in the ledger: their consumer died before the acknowledgement. */
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
   * The limit of a new hold: the balance minus holds minus unrecorded costs. A cost that Redis charged twice, because it
   * lost the first charge, counts until the ledger returns it.
   */
  get available(): bigint {
    const inTransit = this.stream.filter((event) => !this.recorded.has(event));
    return this.owned - this.held - inTransit.reduce((sum, { cost }) => sum + cost, 0n);
  }

  settle(index: number, cost: bigint): boolean {
    const request = this.requests[index];
    if (request === undefined || request.isSettled) return false;
    request.hold = null;
    request.isSettled = true;
    this.stream.push({ request: index, cost });
    return true;
  }

  /** Records an event in the ledger. An event of a recorded request changes nothing. */
  record(event: ModelEvent): void {
    const request = this.requests[event.request];
    if (request?.recordedCost !== null) return;
    request.recordedCost = event.cost;
    this.owned -= event.cost;
    this.recorded.add(event);
  }

  acknowledge(events: readonly ModelEvent[]): void {
    this.stream = this.stream.filter((event) => !events.includes(event));
    for (const event of events) this.recorded.delete(event);
  }

  /** Redis loses its data: holds, unrecorded settlements and escrow. */
  loseRedis(): void {
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
