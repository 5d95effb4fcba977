import { modelOfUpstream, priceAt, unitPricesFor } from '@gateway/catalogue';
import type { PriceVersion, SyncTicket, UnitCounts, Usage, UsageApart } from '@gateway/contracts';
import { costOf, ratesOf } from '@gateway/money';

type Counts = Record<string, number>;
type Prices = Record<string, string>;

/** A usage at its prices. `unpriced` cannot be charged: somebody must find its price. */
export interface PricedUsage {
  readonly units: Readonly<Counts>;
  /** Decimal USD per million of each unit. */
  readonly unitPrices: Readonly<Prices>;
  readonly costNanoUsd: bigint;
  readonly unpriced: readonly string[];
}

/** Calls whose tokens have the names of the request's own units. */
const OWN_TYPES = new Set(['message', 'fallback_message']);

interface Part {
  /** Distinguishes the units of another call, such as `compaction`. */
  readonly label: string;
  readonly units: UnitCounts;
  readonly prices: Readonly<Prices>;
}

class Bill {
  readonly units: Counts = {};
  readonly unitPrices: Prices = {};
  readonly unpriced: string[] = [];

  add({ label, units, prices }: Part): void {
    for (const [unit, count] of Object.entries(units)) {
      if (count === undefined || count <= 0) continue;
      const name = label === '' ? unit : `${label}.${unit}`;
      const price = prices[unit];
      if (price === undefined) this.unpriced.push(name);
      else this.#charge(name, count, price);
    }
  }

  /** Prompts of different length may have different prices: each price has a name of its own on the receipt. */
  #charge(name: string, count: number, price: string): void {
    const key = this.unitPrices[name] === undefined || this.unitPrices[name] === price ? name : `long_prompt.${name}`;
    this.units[key] = (this.units[key] ?? 0) + count;
    this.unitPrices[key] = price;
  }
}

/** The price of another call, by its own model. Undefined: the catalogue does not have that model. */
function priceOfApart(
  ticket: SyncTicket,
  { type, model }: UsageApart,
): { price: PriceVersion; label: string } | undefined {
  const own = OWN_TYPES.has(type) ? '' : type;
  const priced = model === undefined ? undefined : modelOfUpstream(model);
  if (model === undefined || priced?.id === ticket.model) return { price: ticket.price as PriceVersion, label: own };
  const price = priced === undefined ? undefined : priceAt(priced, ticket.admittedAtMs);
  return priced === undefined || price === undefined ? undefined : { price, label: priced.id };
}

/**
 * Prices a usage at the ticket's frozen price. Calls that the upstream made apart have the list price of their own model
 * and of the length of their own prompt. A test key pays nothing.
 */
export function priceUsage(ticket: SyncTicket, usage: Usage): PricedUsage {
  const bill = new Bill();
  const own = unitPricesFor(ticket.price as PriceVersion, usage.inputTokensTotal) as Readonly<Prices>;
  Object.assign(bill.unitPrices, own);
  bill.add({ label: '', units: usage.units, prices: own });
  for (const apart of usage.apart ?? []) {
    const priced = priceOfApart(ticket, apart);
    if (priced === undefined) bill.unpriced.push(`${apart.type} of ${apart.model}`);
    else {
      const prices = unitPricesFor(priced.price, apart.inputTokensTotal) as Readonly<Prices>;
      bill.add({ label: priced.label, units: apart.units, prices });
    }
  }
  const { units, unitPrices } = bill;
  return {
    units,
    unitPrices,
    costNanoUsd: ticket.isTest === true ? 0n : costOf(units, ratesOf(unitPrices)),
    unpriced: [...bill.unpriced, ...(usage.unpriced ?? [])],
  };
}
