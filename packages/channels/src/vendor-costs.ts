import type { MetricRegistry } from './metric-registry.js';

/** A settled request or task. */
export interface ChargedCall {
  readonly model: string;
  /** Its last attempt has the vendor's own cost, if the vendor reports one. */
  readonly attempts: readonly { readonly vendorCostNanoUsd?: string | undefined }[];
  readonly isTest: boolean;
  readonly chargedNanoUsd: bigint;
}

/** Compares what vendors report that they bill with what customers are charged. Make one in a process. */
export class VendorCosts {
  readonly #counter: ReturnType<MetricRegistry['counter']>;

  /** `models`: all public ids, at 0 from the start, so that `increase()` counts the first cost. */
  constructor(registry: MetricRegistry, models: readonly { readonly id: string }[]) {
    this.#counter = registry.counter(
      'gateway_vendor_cost_nano_usd_total',
      'Costs in nano-USD where the vendor reports its own: as it reports them, and as customers are charged',
      ['model', 'source'],
    );
    for (const { id } of models) this.#count(id, 0n, 0n);
  }

  /** The simulator of test keys bills nothing, so their calls do not count. */
  compare({ model, attempts, isTest, chargedNanoUsd }: ChargedCall): void {
    const reported = attempts.at(-1)?.vendorCostNanoUsd;
    if (reported === undefined || isTest) return;
    this.#count(model, BigInt(reported), chargedNanoUsd);
  }

  #count(model: string, reportedNanoUsd: bigint, chargedNanoUsd: bigint): void {
    this.#counter.inc({ model, source: 'reported' }, Number(reportedNanoUsd));
    this.#counter.inc({ model, source: 'charged' }, Number(chargedNanoUsd));
  }
}
