import {
  type CatalogueModel,
  modelOfPrice,
  modelOfUpstream,
  priceAt,
  unitPricesFor,
  vendorPriceAt,
} from '@gateway/catalogue';
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

/** Whose prices a bill has: those of customers, or those of vendors. */
interface PriceSource {
  readonly own: PriceVersion;
  of(model: CatalogueModel): PriceVersion | undefined;
}

/** The price of another call, by its own model. Undefined: the catalogue does not have that model. */
function priceOfApart(
  { model: ownModel }: SyncTicket,
  { type, model }: UsageApart,
  prices: PriceSource,
): { price: PriceVersion; label: string } | undefined {
  const own = OWN_TYPES.has(type) ? '' : type;
  const priced = model === undefined ? undefined : modelOfUpstream(model);
  if (model === undefined || priced?.id === ownModel) return { price: prices.own, label: own };
  const price = priced === undefined ? undefined : prices.of(priced);
  return priced === undefined || price === undefined ? undefined : { price, label: priced.id };
}

function billOf(ticket: SyncTicket, usage: Usage, source: PriceSource): Bill {
  const bill = new Bill();
  const own = unitPricesFor(source.own, usage.inputTokensTotal);
  Object.assign(bill.unitPrices, own);
  bill.add({ label: '', units: usage.units, prices: own });
  for (const apart of usage.apart ?? []) {
    const priced = priceOfApart(ticket, apart, source);
    if (priced === undefined) bill.unpriced.push(`${apart.type} of ${apart.model}`);
    else {
      const prices = unitPricesFor(priced.price, apart.inputTokensTotal);
      bill.add({ label: priced.label, units: apart.units, prices });
    }
  }
  bill.unpriced.push(...(usage.unpriced ?? []));
  return bill;
}

/**
 * Prices a usage at the ticket's frozen price. Calls that the upstream made apart have the list price of their own model
 * and of the length of their own prompt. A test key pays nothing.
 */
export function priceUsage(ticket: SyncTicket, usage: Usage): PricedUsage {
  const own = ticket.price as PriceVersion;
  const of = (model: CatalogueModel) => priceAt(model, ticket.admittedAtMs);
  const { units, unitPrices, unpriced } = billOf(ticket, usage, { own, of });
  const costNanoUsd = ticket.isTest === true ? 0n : costOf(units, ratesOf(unitPrices));
  return { units, unitPrices, costNanoUsd, unpriced };
}

/** What the vendor bills for a usage by the catalogue, in nano-USD. Undefined: something of it has no known cost. */
export function vendorCostOfUsage(ticket: SyncTicket, usage: Usage): bigint | undefined {
  // The simulator of test keys bills nothing.
  if (ticket.isTest === true) return 0n;
  const of = (model: CatalogueModel) => vendorPriceAt(model, ticket.admittedAtMs);
  const model = modelOfPrice(ticket.model, ticket.price.version);
  const own = model === undefined ? undefined : of(model);
  if (own === undefined) return undefined;
  const { units, unitPrices, unpriced } = billOf(ticket, usage, { own, of });
  return unpriced.length > 0 ? undefined : costOf(units, ratesOf(unitPrices));
}
