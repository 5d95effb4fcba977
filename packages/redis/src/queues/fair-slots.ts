/** The request of one account: it waits for a slot, has one, or has been withdrawn. */
export interface Turn {
  readonly accountId: string;
  /** Resolves to true once the request has a slot, and to false once it was withdrawn. */
  readonly granted: Promise<boolean>;
  readonly isGranted: boolean;
  /** Stops waiting. Does nothing once the request has a slot. */
  withdraw(): void;
  /** Frees the slot, once. Does nothing without one. */
  release(): void;
}

/** Of all slots: what one account may always have, and what is kept free of accounts that have more. */
const SHARE = 1 / 4;
/** Of all slots: what batches may have together. */
const BATCH_SHARE = 1 / 2;

/** The place of an account's batches among the accounts: no id of an account has a space. */
const batchesOf = (accountId: string): string => `batches of ${accountId}`;
const isBatchPlace = (place: string): boolean => place.startsWith('batches of ');

class PlacedTurn implements Turn {
  readonly #granted = Promise.withResolvers<boolean>();
  #state: 'waiting' | 'granted' | 'over' = 'waiting';

  constructor(
    readonly accountId: string,
    readonly place: string,
    readonly sinceMs: number,
    private readonly slots: { withdraw(turn: PlacedTurn): void; free(place: string): void },
  ) {}

  get granted(): Promise<boolean> {
    return this.#granted.promise;
  }

  get isGranted(): boolean {
    return this.#state === 'granted';
  }

  grant(): void {
    this.#state = 'granted';
    this.#granted.resolve(true);
  }

  withdraw(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'over';
    this.slots.withdraw(this);
    this.#granted.resolve(false);
  }

  release(): void {
    if (this.#state !== 'granted') return;
    this.#state = 'over';
    this.slots.free(this.place);
  }
}

/**
 * Slots that accounts share. Waiting requests are granted in turn by account, the oldest of each account first. An account
 * gets more than a quarter of the slots only while a quarter of them stays free, and only if no account below its quarter waits.
 * Batches get a slot only if no other request waits, at most half of all slots, and never the quarter that is kept free.
 */
export class FairSlots {
  readonly #share: number;
  readonly #reserve: number;
  readonly #batchShare: number;
  #batchCount = 0;
  readonly #running = new Map<string, number>();
  /** The order of the accounts is the order of their turns. */
  readonly #waiting = new Map<string, PlacedTurn[]>();
  #active = 0;
  #waitingCount = 0;
  #roomSinceMs: number | null = performance.now();
  #lastChangeMs = performance.now();
  /** What turns do with their slots. */
  readonly #slots = {
    withdraw: (turn: PlacedTurn): void => this.#dequeue(turn),
    free: (place: string): void => {
      this.#free(place);
      this.#grantAll();
    },
  };

  constructor(readonly size: number) {
    this.#reserve = Math.floor(size * SHARE);
    this.#share = Math.max(1, this.#reserve);
    this.#batchShare = Math.max(1, Math.floor(size * BATCH_SHARE));
  }

  get active(): number {
    return this.#active;
  }

  /** Slots that no request has, beyond those that waiting requests may get; negative if more requests wait. */
  get room(): number {
    return this.size - this.#active - this.#waitingCount;
  }

  /** Since when a slot has been free; null while all are occupied. */
  get roomSinceMs(): number | null {
    return this.#roomSinceMs;
  }

  /** When a request last got or freed a slot. */
  get lastChangeMs(): number {
    return this.#lastChangeMs;
  }

  /** `sinceMs`: when the request was admitted; it keeps its place although it moves between workers. */
  request(accountId: string, sinceMs: number, isOfBatch = false): Turn {
    const place = isOfBatch ? batchesOf(accountId) : accountId;
    const turn = new PlacedTurn(accountId, place, sinceMs, this.#slots);
    // Most requests: each entry of the map would leave a table of it in V8's old generation.
    if (this.#waitingCount === 0 && this.#mayHaveSlot(place)) {
      this.#occupy(turn);
    } else {
      this.#enqueue(turn);
      this.#grantAll();
    }
    return turn;
  }

  #enqueue(turn: PlacedTurn): void {
    this.#waitingCount += 1;
    const queue = this.#waiting.get(turn.place);
    if (queue === undefined) this.#waiting.set(turn.place, [turn]);
    else queue.splice(queue.findLastIndex(({ sinceMs }) => sinceMs <= turn.sinceMs) + 1, 0, turn);
  }

  #dequeue(turn: PlacedTurn): void {
    const queue = this.#waiting.get(turn.place) ?? [];
    queue.splice(queue.indexOf(turn), 1);
    this.#waitingCount -= 1;
    if (queue.length === 0) this.#waiting.delete(turn.place);
  }

  #grantAll(): void {
    for (let next = this.#nextAccount(); next !== undefined; next = this.#nextAccount()) this.#grant(next);
  }

  #nextAccount(): string | undefined {
    if (this.#active >= this.size || this.#waitingCount === 0) return undefined;
    let [first, firstBatch]: (string | undefined)[] = [];
    for (const place of this.#waiting.keys()) {
      if (isBatchPlace(place)) firstBatch ??= place;
      else if (this.#isBelowShare(place)) return place;
      else first ??= place;
    }
    const next = first ?? firstBatch;
    return next !== undefined && this.#mayHaveSlot(next) ? next : undefined;
  }

  /** Whether the account gets a slot if no other waits. */
  #mayHaveSlot(place: string): boolean {
    const free = this.size - this.#active;
    const isBatch = isBatchPlace(place);
    if (free > 0 && !isBatch && this.#isBelowShare(place)) return true;
    return free > this.#reserve && (!isBatch || this.#batchCount < this.#batchShare);
  }

  #isBelowShare(place: string): boolean {
    return (this.#running.get(place) ?? 0) < this.#share;
  }

  #grant(place: string): void {
    const queue = this.#waiting.get(place);
    const turn = queue?.shift();
    if (queue === undefined || turn === undefined) return;
    // The account's next turn comes after those of all others.
    this.#waiting.delete(place);
    if (queue.length > 0) this.#waiting.set(place, queue);
    this.#waitingCount -= 1;
    this.#occupy(turn);
  }

  #occupy(turn: PlacedTurn): void {
    const { place } = turn;
    this.#active += 1;
    if (isBatchPlace(place)) this.#batchCount += 1;
    this.#running.set(place, (this.#running.get(place) ?? 0) + 1);
    this.#lastChangeMs = performance.now();
    if (this.#active >= this.size) this.#roomSinceMs = null;
    turn.grant();
  }

  #free(place: string): void {
    const running = (this.#running.get(place) ?? 0) - 1;
    if (running > 0) this.#running.set(place, running);
    else this.#running.delete(place);
    this.#active -= 1;
    if (isBatchPlace(place)) this.#batchCount -= 1;
    this.#lastChangeMs = performance.now();
    this.#roomSinceMs ??= this.#lastChangeMs;
  }
}
