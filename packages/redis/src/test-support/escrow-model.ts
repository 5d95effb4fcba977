/** One account in the ledger and in Redis, modelled in memory. */
export class EscrowModel {
  epoch = 1;
  granted = 0n;
  booked = 0n;
  spendable = 0n;
  held = 0n;
  unsettled = 0n;
  /** The displayed balance outside escrow. */
  reserve = 0n;
  /** Number of the latest return, and the amount that Redis took for it; null before Redis executes it. */
  returnSequence = 0n;
  returned: bigint | null = null;
  isReturnOpen = false;
  readonly sequences = new Set<bigint>();
  readonly holds = new Map<number, { amount: bigint; expiresAtMs: number }>();
  readonly settled = new Set<number>();
  /** Requests in the usage stream, with their cost. */
  readonly stream: { request: number; cost: bigint }[] = [];
  /** Requests that the ledger has booked. */
  readonly ledger = new Set<number>();

  admit(request: number, amount: bigint, expiresAtMs: number): 'admitted' | 'funds' {
    if (this.holds.has(request) || this.settled.has(request)) return 'admitted';
    if (this.spendable < amount) return 'funds';
    this.spendable -= amount;
    this.held += amount;
    this.holds.set(request, { amount, expiresAtMs });
    return 'admitted';
  }

  settle(request: number, cost: bigint): boolean {
    if (this.settled.has(request)) return false;
    const amount = this.holds.get(request)?.amount ?? 0n;
    this.holds.delete(request);
    this.settled.add(request);
    this.held -= amount;
    this.spendable += amount - cost;
    this.unsettled += cost;
    this.stream.push({ request, cost });
    return true;
  }

  expired(nowMs: number): number[] {
    return [...this.holds].filter(([, hold]) => hold.expiresAtMs <= nowMs).map(([request]) => request);
  }

  grant(sequence: bigint, amount: bigint): 'applied' | 'duplicate' {
    if (this.sequences.has(sequence)) return 'duplicate';
    this.sequences.add(sequence);
    this.granted += amount;
    this.spendable += amount;
    return 'applied';
  }

  /** The ledger opens a return, unless one is open. */
  openReturn(): void {
    if (this.isReturnOpen) return;
    this.isReturnOpen = true;
    this.returnSequence += 1n;
    this.returned = null;
  }

  takeBack(): bigint {
    if (this.returned !== null) return this.returned;
    const isIdle = this.held === 0n && this.unsettled === 0n && this.spendable > 0n;
    this.returned = isIdle ? this.spendable : 0n;
    this.spendable -= this.returned;
    this.reserve += this.returned;
    return this.returned;
  }

  closeReturn(): void {
    this.granted -= this.returned ?? 0n;
    this.isReturnOpen = false;
  }

  /** Taken out of Redis and not booked in the ledger. */
  get pendingReturnNanoUsd(): bigint {
    return this.isReturnOpen ? (this.returned ?? 0n) : 0n;
  }

  /** Books the oldest events in the ledger; returns whether each was a duplicate. */
  book(count: number): boolean[] {
    return this.stream.splice(0, count).map(({ request, cost }) => {
      const isDuplicate = this.ledger.has(request);
      this.ledger.add(request);
      this.unsettled -= cost;
      if (isDuplicate) this.spendable += cost;
      else this.booked += cost;
      return isDuplicate;
    });
  }

  /** The ledger resets all escrow and opens a new epoch, with Redis emptied or unchanged. */
  rebuild(isEmptied: boolean): void {
    if (isEmptied) {
      for (const lost of [this.holds, this.settled]) lost.clear();
      this.stream.length = 0;
      this.held = 0n;
      this.unsettled = 0n;
      this.reserve = 0n;
    }
    this.isReturnOpen = false;
    this.epoch += 1;
    this.granted = 0n;
    this.booked = 0n;
    this.sequences.clear();
    this.spendable = -(this.held + this.unsettled);
  }
}
