export interface SimulatedFault {
  readonly vendor: string;
  /** Limits the fault to one protocol, such as `dashscope-tasks`. */
  readonly protocol?: string | undefined;
  readonly status?: number | undefined;
  readonly delay_ms?: number | undefined;
  readonly drop?: boolean | undefined;
  /** Share of affected calls, above 0 and up to 1. */
  readonly rate: number;
  readonly for_ms?: number | undefined;
}

interface ActiveFault {
  readonly fault: SimulatedFault;
  readonly endsAtMs: number;
  /** Grows by `rate` a call and triggers at 1: the rate is exact and repeatable. */
  due: number;
}

/** One fault per vendor; a new one replaces it. */
export class VendorFaults {
  readonly #active = new Map<string, ActiveFault>();

  set(fault: SimulatedFault): void {
    const endsAtMs = fault.for_ms === undefined ? Number.POSITIVE_INFINITY : Date.now() + fault.for_ms;
    this.#active.set(fault.vendor, { fault, endsAtMs, due: 0 });
  }

  clear(vendor?: string): void {
    if (vendor === undefined) {
      this.#active.clear();
    } else {
      this.#active.delete(vendor);
    }
  }

  list(): SimulatedFault[] {
    return [...this.#active.values()].map(({ fault }) => fault);
  }

  strike(vendor: string, protocol: string): SimulatedFault | undefined {
    if (this.#active.size === 0) return undefined;
    const active = this.#active.get(vendor);
    if (active === undefined || (active.fault.protocol ?? protocol) !== protocol) return undefined;
    if (Date.now() >= active.endsAtMs) {
      this.#active.delete(vendor);
      return undefined;
    }
    active.due += active.fault.rate;
    if (active.due < 1 - 1e-9) return undefined;
    active.due -= 1;
    return active.fault;
  }
}
