import { unitPricesFor, usageCost } from '@gateway/catalogue';
import {
  buildUsageSettled,
  type PriceVersion,
  type ResponseEnd,
  type SettlementOutcome,
  type SyncTicket,
  type UpstreamAttempt,
  type Usage,
  type UsageSettled,
} from '@gateway/contracts';
import type { Logger, Tracing } from '@gateway/observability';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, SETTLER, TRACING } from '../tokens.js';
import { traceTicket } from './trace-ticket.js';

/** A response waits at most this long for its settlement. The settler itself retries until Redis confirms. */
const SETTLEMENT_WAIT_MS = 2_000;

export interface UsageReport {
  readonly outcome: SettlementOutcome;
  readonly usage: Usage;
  readonly attempts: readonly UpstreamAttempt[];
  readonly startedAtMs: number;
  readonly firstByteAtMs?: number | undefined;
  readonly errorCode?: string | undefined;
}

export interface Settled {
  readonly costNanoUsd: bigint;
  /** Undefined if Redis did not confirm in time; the settler continues to retry. */
  readonly balanceNanoUsd: bigint | undefined;
}

/** The settlement as the edge reports it to the client. */
export const settledEnd = ({ costNanoUsd, balanceNanoUsd }: Settled): ResponseEnd => ({
  costNanoUsd: costNanoUsd.toString(),
  ...(balanceNanoUsd !== undefined && { balanceNanoUsd: balanceNanoUsd.toString() }),
});

interface PricedUsage {
  readonly units: Record<string, number>;
  readonly unitPrices: Readonly<Record<string, string>>;
  readonly costNanoUsd: bigint;
}

/** Prices and settles a request's usage, at the price frozen in its ticket. */
@Injectable()
export class ReportUsage {
  constructor(
    @Inject(SETTLER) private readonly settler: Settler,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  async settle(ticket: SyncTicket, { usage, ...report }: UsageReport): Promise<Settled> {
    const priced = this.#price(ticket, usage);
    const event = buildUsageSettled(
      { ...ticket, priceVersion: ticket.price.version },
      { ...report, ...priced, isEstimated: usage.isEstimated, settledAtMs: Date.now() },
    );
    const settlement = await this.settler.settle(event, SETTLEMENT_WAIT_MS);
    traceTicket(this.tracing, ticket, event);
    this.#log(event);
    return { costNanoUsd: priced.costNanoUsd, balanceNanoUsd: settlement?.balanceNanoUsd };
  }

  /** Nano-USD at the ticket's frozen price; 0 for a test key. */
  costOf(ticket: SyncTicket, usage: Usage): bigint {
    return this.#price(ticket, usage).costNanoUsd;
  }

  /** Drops and logs a unit without a frozen price, which cannot be charged. The other units are charged. */
  #price(ticket: SyncTicket, { units: counts, inputTokensTotal }: Usage): PricedUsage {
    const price = ticket.price as PriceVersion;
    const unitPrices = unitPricesFor(price, inputTokensTotal) as Readonly<Record<string, string>>;
    const used = Object.entries(counts).filter(([, count]) => count !== undefined && count > 0) as [string, number][];
    const unpriced = used.filter(([unit]) => unitPrices[unit] === undefined);
    if (unpriced.length > 0)
      this.logger.error(
        { requestId: ticket.requestId, model: ticket.model, unpriced },
        'units without a price dropped',
      );
    const units = Object.fromEntries(used.filter(([unit]) => unitPrices[unit] !== undefined));
    const costNanoUsd = ticket.isTest === true ? 0n : usageCost({ units, inputTokensTotal }, price);
    return { units, unitPrices, costNanoUsd };
  }

  #log({ requestId, accountId, model, outcome, errorCode, isEstimated, attempts }: UsageSettled): void {
    const channel = attempts.at(-1)?.channel;
    const fields = { requestId, accountId, model, outcome, errorCode, isEstimated, attempts: attempts.length, channel };
    this.logger.info(fields, 'request settled');
  }
}
