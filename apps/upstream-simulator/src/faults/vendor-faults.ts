export interface SimulatedFault {
  readonly vendor: string;
  /** Only calls of this protocol, such as `dashscope-tasks`. */
  readonly protocol?: string | undefined;
  readonly status?: number | undefined;
  readonly delay_ms?: number | undefined;
  readonly drop?: boolean | undefined;
  /** Share of the calls that are hit, 0 to 1. */
  readonly rate: number;
  readonly for_ms?: number | undefined;
}

interface ActiveFault {
  readonly fault: SimulatedFault;
  readonly endsAtMs: number;
  /** Grows by `rate` with each call; a call is hit when it passes one, so that a rate is met exactly and the same way each time. */
  due: number;
}

/** Faults of whole vendors, one for each vendor: a new one replaces the old one. */
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

  /** The fault that hits this call, if any. */
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
