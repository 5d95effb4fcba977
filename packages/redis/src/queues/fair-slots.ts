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

interface Waiting {
  readonly sinceMs: number;
  readonly grant: () => void;
}

/** Of all slots: what one account may always have, and what is kept free of accounts that have more. */
const SHARE = 1 / 4;
/** Of all slots: what batches may have together. */
const BATCH_SHARE = 1 / 2;

/** The place of an account's batches among the accounts: no id of an account has a space. */
const batchesOf = (accountId: string): string => `batches of ${accountId}`;
const isBatchPlace = (place: string): boolean => place.startsWith('batches of ');

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
  readonly #waiting = new Map<string, Waiting[]>();
  #active = 0;
  #waitingCount = 0;
  #roomSinceMs: number | null = Date.now();
  #lastChangeMs = Date.now();

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
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let state: 'waiting' | 'granted' | 'over' = 'waiting';
    const grant = (): void => {
      state = 'granted';
      resolve(true);
    };
    const waiting = { sinceMs, grant };
    this.#enqueue(place, waiting);
    this.#grantAll();
    return {
      accountId,
      granted: promise,
      get isGranted() {
        return state === 'granted';
      },
      withdraw: () => {
        if (state !== 'waiting') return;
        state = 'over';
        this.#dequeue(place, waiting);
        resolve(false);
      },
      release: () => {
        if (state !== 'granted') return;
        state = 'over';
        this.#free(place);
        this.#grantAll();
      },
    };
  }

  #enqueue(accountId: string, waiting: Waiting): void {
    this.#waitingCount += 1;
    const queue = this.#waiting.get(accountId);
    if (queue === undefined) this.#waiting.set(accountId, [waiting]);
    else queue.splice(queue.findLastIndex(({ sinceMs }) => sinceMs <= waiting.sinceMs) + 1, 0, waiting);
  }

  #dequeue(accountId: string, waiting: Waiting): void {
    const queue = this.#waiting.get(accountId) ?? [];
    queue.splice(queue.indexOf(waiting), 1);
    this.#waitingCount -= 1;
    if (queue.length === 0) this.#waiting.delete(accountId);
  }

  #grantAll(): void {
    for (let next = this.#nextAccount(); next !== undefined; next = this.#nextAccount()) this.#grant(next);
  }

  #nextAccount(): string | undefined {
    const free = this.size - this.#active;
    if (free <= 0 || this.#waitingCount === 0) return undefined;
    let [first, firstBatch]: (string | undefined)[] = [];
    for (const place of this.#waiting.keys()) {
      if (isBatchPlace(place)) firstBatch ??= place;
      else if ((this.#running.get(place) ?? 0) < this.#share) return place;
      else first ??= place;
    }
    if (free <= this.#reserve) return undefined;
    return first ?? (this.#batchCount < this.#batchShare ? firstBatch : undefined);
  }

  #grant(accountId: string): void {
    const queue = this.#waiting.get(accountId);
    const waiting = queue?.shift();
    if (queue === undefined || waiting === undefined) return;
    // The account's next turn comes after those of all others.
    this.#waiting.delete(accountId);
    if (queue.length > 0) this.#waiting.set(accountId, queue);
    this.#waitingCount -= 1;
    this.#active += 1;
    if (isBatchPlace(accountId)) this.#batchCount += 1;
    this.#running.set(accountId, (this.#running.get(accountId) ?? 0) + 1);
    this.#lastChangeMs = Date.now();
    if (this.#active >= this.size) this.#roomSinceMs = null;
    waiting.grant();
  }

  #free(accountId: string): void {
    const running = (this.#running.get(accountId) ?? 0) - 1;
    if (running > 0) this.#running.set(accountId, running);
    else this.#running.delete(accountId);
    this.#active -= 1;
    if (isBatchPlace(accountId)) this.#batchCount -= 1;
    this.#lastChangeMs = Date.now();
    this.#roomSinceMs ??= this.#lastChangeMs;
  }
}
