import { asCharged, type CatalogueModel, priceAt, unitPricesFor, usageCost } from '@gateway/catalogue';
import type { AccountsConfig } from '@gateway/config';
import {
  type Endpoint,
  GatewayError,
  isGatewayError,
  type PriceOverride,
  type Unit,
  type UnitCounts,
  type Usage,
} from '@gateway/contracts';
import {
  expectedUsage,
  type KeyAccess,
  outputWithin,
  type QuotedUse,
  quoteHold,
  resolveModel,
  tokenHold,
  worstCaseOf,
} from '@gateway/intake';
import { formatUsd } from '@gateway/money';
import { Inject, Injectable } from '@nestjs/common';
import { BalanceReader } from '../balance-reader.service.js';
import { ACCOUNTS_CONFIG } from '../tokens.js';
import { FindDraft } from './find-draft.service.js';
import { FindHistory } from './find-history.service.js';
import { type KeyLimits, type KeyRoom, ReadKeyRoom } from './read-key-room.service.js';

export interface QuoteCaller {
  readonly accountId: string;
  readonly access: KeyAccess;
  /** The prices of this account in place of the catalogue's. */
  readonly priceOverrides: readonly PriceOverride[];
  /** A test key pays nothing. */
  readonly isTest: boolean;
  /** Of the key that asks; null: the balance is the only limit. */
  readonly keyLimits: KeyLimits | null;
}

export interface QuoteRequest {
  readonly endpoint: Endpoint;
  readonly body: Record<string, unknown>;
  readonly units?: UnitCounts | undefined;
}

const PROMPT_UNITS = [
  'input_token',
  'cached_input_token',
  'cache_write_token',
  'cache_write_1h_token',
  'input_audio_token',
  'input_image_token',
] as const satisfies readonly Unit[];

/** Prices a request with the rules of admission and settlement: the same hold, the same charge. */
@Injectable()
export class MakeQuote {
  readonly #vendors: ReadonlySet<string>;

  constructor(
    @Inject(ACCOUNTS_CONFIG)
    private readonly config: Pick<AccountsConfig, 'vendors' | 'catalogueAtMs' | 'chargesInputSeconds'>,
    private readonly balanceReader: BalanceReader,
    private readonly findDraft: FindDraft,
    private readonly findHistory: FindHistory,
    private readonly keyRoom: ReadKeyRoom,
  ) {
    this.#vendors = new Set(config.vendors);
  }

  /** A request that admission would refuse gets a quote with `valid: false` and the error. */
  async quote(caller: QuoteCaller, { endpoint, body: given, units }: QuoteRequest) {
    try {
      const catalogueMs = this.config.catalogueAtMs ?? Date.now();
      const scope = { access: caller.access, vendors: this.#vendors, atMs: catalogueMs };
      const resolved = resolveModel(given.model, endpoint, scope);
      const model = asCharged(resolved, this.config);
      const body = await this.findHistory.expand(caller, endpoint, given);
      const draft = await this.findDraft.find(caller, model, body);
      const use = worstCaseOf(endpoint, body, model, draft);
      const expected = units === undefined ? expectedUsage(endpoint, use.worstCase) : usageOf(units);
      return { object: 'quote', valid: true, endpoint, ...(await this.#priced(caller, model, use, expected)) };
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      const { code, message, details, row } = error;
      return {
        object: 'quote',
        valid: false,
        endpoint,
        errors: [{ status: row.status, code, message, param: details.param ?? null }],
      };
    }
  }

  async #priced(
    { accountId, isTest, priceOverrides, keyLimits }: QuoteCaller,
    model: CatalogueModel,
    use: QuotedUse,
    expected: Usage,
  ) {
    const price = priceAt(model, Date.now(), priceOverrides);
    if (price === undefined) {
      throw new GatewayError('model_not_found', `The model '${model.id}' has no price yet.`, { param: 'model' });
    }
    const prices = unitPricesFor(price, expected.inputTokensTotal);
    const unpriced = Object.keys(expected.units).find((unit) => prices[unit as keyof UnitCounts] === undefined);
    if (unpriced !== undefined) {
      const known = Object.keys(prices).join(', ');
      throw new GatewayError(
        'invalid_request',
        `units: ${model.id} has no price for '${unpriced}', only for ${known}.`,
        {
          param: `units.${unpriced}`,
        },
      );
    }
    const estimate = isTest ? 0n : usageCost(expected, price);
    const { availableNanoUsd } = await this.balanceReader.read(accountId);
    const room = await this.keyRoom.read(accountId, keyLimits, Date.now());
    const canSpendNanoUsd = smaller(availableNanoUsd, room.nanoUsd);
    const hold = quoteHold(isTest ? { worstCase: use.worstCase } : use, price, canSpendNanoUsd);
    const held = (amount: bigint): string => formatUsd(isTest ? 0n : amount);
    return {
      model: model.id,
      price_version: price.version,
      abort_contract: use.abortContract,
      units: expected.units,
      unit_prices: prices,
      estimate_usd: formatUsd(estimate),
      hold_units: hold.usage.units,
      hold_usd: held(hold.heldNanoUsd),
      hold_least_usd: held(hold.leastNanoUsd),
      hold_most_usd: held(hold.range?.mostNanoUsd ?? hold.heldNanoUsd),
      output_cap: lowerCap(hold.outputCap, outputWithin(tokenHold(use), room.tokens)),
      available_usd: formatUsd(availableNanoUsd),
      key_room_usd: room.nanoUsd === null ? null : formatUsd(room.nanoUsd),
      balance_after_usd: formatUsd(availableNanoUsd - estimate),
      is_affordable: isTest || (canSpendNanoUsd >= hold.leastNanoUsd && takes(room, tokenHold(use).least)),
    };
  }
}

/** False if a cap of requests or tokens refuses the request. */
const takes = ({ tokens, requests }: KeyRoom, leastTokens: number): boolean =>
  (requests === null || requests >= 1n) && (tokens === null || tokens >= BigInt(leastTokens));

const lowerCap = (one: number | undefined, other: number | undefined): number | null =>
  one === undefined || other === undefined ? (one ?? other ?? null) : Math.min(one, other);

const smaller = (amount: bigint, limit: bigint | null): bigint => (limit !== null && limit < amount ? limit : amount);

/** Usage of units that the client has counted. Some prices depend on the prompt's length: the sum of its units. */
function usageOf(units: UnitCounts): Usage {
  const inputTokensTotal = PROMPT_UNITS.reduce((sum, unit) => sum + (units[unit] ?? 0), 0);
  return { units, inputTokensTotal, isEstimated: false };
}
