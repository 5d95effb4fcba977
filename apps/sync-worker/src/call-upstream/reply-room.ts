const MEBIBYTE = 1024 * 1024;

/** A long reply is read, parsed and written: for moments this worker has it three times. */
export const SHARE_FOR_REPLIES = 0.2;
/** A response that waits for its client is there once, so there is memory beyond the room. */
const BEYOND = 1.5;
/** Vendors rarely say how long a reply is. Most images and lists of embeddings are shorter. */
const EXPECTED_BYTES = 16 * MEBIBYTE;
/** One of several calls whose replies become one response. */
const EXPECTED_PART_BYTES = 4 * MEBIBYTE;

export const expectedBytes = (calls: number): number => Math.max(EXPECTED_BYTES, calls * EXPECTED_PART_BYTES);

interface Waiter {
  readonly place: ReplyPlace;
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * The memory that this worker has for long replies of vendors, from their second mebibyte on until their clients have them.
 * Unread replies stay at their vendors. An account that has some of it gets at most half. One that has nothing may go beyond the
 * room by half: clients that read slowly keep it, and must not delay other accounts.
 */
export class ReplyRoom {
  readonly #byAccount = new Map<string, number>();
  #waiting: readonly Waiter[] = [];
  #takenBytes = 0;

  constructor(readonly bytes: number) {}

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** The place of one ticket. Release it when the ticket has ended. */
  open(accountId: string): ReplyPlace {
    return new ReplyPlace(this, accountId);
  }

  /** Resolves once the place has these bytes. Rejects with the signal's reason. */
  async take(place: ReplyPlace, wantedBytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const bytes = Math.min(wantedBytes, this.bytes);
    if (this.#waiting.length === 0 && this.#refusal(place.accountId, bytes) === undefined) {
      place.set(bytes);
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { place, bytes, grant: resolve };
    const onAbort = (): void => {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      reject(signal.reason);
      this.#grantNext();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting = [...this.#waiting, waiter];
    this.#grantNext();
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** Called by places only. */
  change(accountId: string, byBytes: number): void {
    this.#takenBytes += byBytes;
    const own = (this.#byAccount.get(accountId) ?? 0) + byBytes;
    if (own === 0) this.#byAccount.delete(accountId);
    else this.#byAccount.set(accountId, own);
    if (byBytes < 0) this.#grantNext();
  }

  /** In order. Only an account that has nothing is not passed by others. */
  #grantNext(): void {
    for (const waiter of this.#waiting) {
      const refusal = this.#refusal(waiter.place.accountId, waiter.bytes);
      if (refusal === 'full') return;
      if (refusal === 'share') continue;
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      waiter.place.set(waiter.bytes);
      waiter.grant();
    }
  }

  /** An empty room takes any reply, so that none waits for ever. */
  #refusal(accountId: string, bytes: number): 'full' | 'share' | undefined {
    if (this.#takenBytes === 0) return undefined;
    const own = this.#byAccount.get(accountId) ?? 0;
    const taken = this.#takenBytes + bytes;
    if (own === 0) return taken > this.bytes * BEYOND ? 'full' : undefined;
    return taken > this.bytes || own + bytes > this.bytes / 2 ? 'share' : undefined;
  }
}

/** What the replies of one ticket take. Once it has begun, it never waits again: two that wait for each other would not end. */
export class ReplyPlace {
  #taken: Promise<void> | undefined;
  #bytes = 0;
  #isReleased = false;

  constructor(
    private readonly room: ReplyRoom,
    readonly accountId: string,
  ) {}

  /** Waits for room, once. */
  take(bytes: number, signal: AbortSignal): Promise<void> {
    this.#taken ??= this.room.take(this, bytes, signal);
    return this.#taken;
  }

  /** What the whole response has. A short one takes nothing. */
  settle(bytes: number): void {
    if (this.#bytes > 0) this.set(bytes);
  }

  release(): void {
    this.set(0);
    this.#isReleased = true;
  }

  set(bytes: number): void {
    if (this.#isReleased || bytes === this.#bytes) return;
    const byBytes = bytes - this.#bytes;
    this.#bytes = bytes;
    this.room.change(this.accountId, byBytes);
  }
}
