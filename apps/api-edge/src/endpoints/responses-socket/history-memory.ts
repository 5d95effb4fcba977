/** Memory limit of this process for what its sockets remember, and of each account. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ACCOUNT_BYTES = 16 * 1024 * 1024;

/** Grants memory for histories of sockets: an idle socket keeps its own for an hour, and costs nothing. */
export class HistoryMemory {
  readonly limitBytes = MAX_BYTES;
  #bytes = 0;
  readonly #byAccount = new Map<string, number>();

  get usedBytes(): number {
    return this.#bytes;
  }

  /** Replaces what a socket has by what it wants. False: it must have none. */
  exchange(accountId: string, has: number, wants: number): boolean {
    const others = this.#bytes - has;
    const ofAccount = (this.#byAccount.get(accountId) ?? 0) - has;
    const fits = others + wants <= MAX_BYTES && ofAccount + wants <= MAX_ACCOUNT_BYTES;
    this.#bytes = others + (fits ? wants : 0);
    const left = ofAccount + (fits ? wants : 0);
    if (left === 0) this.#byAccount.delete(accountId);
    else this.#byAccount.set(accountId, left);
    return fits;
  }
}
