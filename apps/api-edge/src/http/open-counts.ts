/** How many connections each owner has open in this process. Owners are ids of keys and of accounts, which differ. */
export class OpenCounts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** Counts one connection for all of its owners. */
  add(owners: readonly string[]): void {
    for (const owner of owners) this.#counts.set(owner, this.of(owner) + 1);
    this.#total += 1;
  }

  remove(owners: readonly string[]): void {
    for (const owner of owners) {
      const count = this.of(owner) - 1;
      if (count > 0) this.#counts.set(owner, count);
      else this.#counts.delete(owner);
    }
    this.#total -= 1;
  }
}
