import { unitPricesFor, usageCost } from '@gateway/catalogue';
import type {
  PriceVersion,
  SettlementOutcome,
  SyncTicket,
  UpstreamAttempt,
  Usage,
  UsageSettled,
} from '@gateway/contracts';
import type { Logger, Tracing } from '@gateway/observability';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TRACING } from '../observability-door.js';
import { SETTLER } from '../redis-doors.js';
import { traceTicket } from './trace-ticket.js';

/** An answer waits at most this long for its settlement; the settlement itself is tried until it is made. */
const ANSWER_WAITS_MS = 2_000;

export interface Report {
  readonly outcome: SettlementOutcome;
  readonly usage: Usage;
  readonly attempts: readonly UpstreamAttempt[];
  readonly startedAtMs: number;
  readonly firstByteAtMs?: number | undefined;
  readonly errorCode?: string | undefined;
}

export interface Settled {
  readonly costNanoUsd: bigint;
  /** Undefined if Redis did not answer in time; the settlement goes on behind. */
  readonly balanceNanoUsd: bigint | undefined;
}

/** Settles one request: what was used, at the price frozen in its ticket. */
@Injectable()
export class ReportUsage {
  constructor(
    @Inject(SETTLER) private readonly settler: Settler,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  async settle(ticket: SyncTicket, report: Report): Promise<Settled> {
    const price = ticket.price as PriceVersion;
    const { units, costNanoUsd } = this.#priced(ticket, report.usage, price);
    const event: UsageSettled = {
      schemaVersion: 1,
      requestId: ticket.requestId,
      accountId: ticket.accountId,
      keyId: ticket.keyId,
      endpoint: ticket.endpoint,
      model: ticket.model,
      outcome: report.outcome,
      holdNanoUsd: ticket.holdNanoUsd,
      costNanoUsd: costNanoUsd.toString(),
      priceVersion: price.version,
      unitPrices: unitPricesFor(price, report.usage.inputTokensTotal) as Record<string, string>,
      units,
      isEstimated: report.usage.isEstimated,
      ...(report.errorCode !== undefined && { errorCode: report.errorCode }),
      attempts: [...report.attempts],
      admittedAtMs: ticket.admittedAtMs,
      startedAtMs: report.startedAtMs,
      ...(report.firstByteAtMs !== undefined && { firstByteAtMs: report.firstByteAtMs }),
      settledAtMs: Date.now(),
    };
    const settled = await this.settler.settle(event, ANSWER_WAITS_MS);
    traceTicket(this.tracing, ticket, event);
    const { requestId, accountId, model, outcome, errorCode, attempts, isEstimated } = event;
    const last = attempts.at(-1);
    this.logger.info(
      {
        requestId,
        accountId,
        model,
        outcome,
        errorCode,
        isEstimated,
        attempts: attempts.length,
        channel: last?.channel,
      },
      'settled',
    );
    return { costNanoUsd, balanceNanoUsd: settled?.balanceNanoUsd };
  }

  /** What a usage costs at the ticket's frozen price; nothing with a test key. */
  costOf(ticket: SyncTicket, usage: Usage): bigint {
    return this.#priced(ticket, usage, ticket.price as PriceVersion).costNanoUsd;
  }

  /** A unit that the frozen price does not name cannot be charged: it is left out, loudly, and the rest is charged. */
  #priced(
    ticket: SyncTicket,
    usage: Usage,
    price: PriceVersion,
  ): { units: Record<string, number>; costNanoUsd: bigint } {
    const prices = unitPricesFor(price, usage.inputTokensTotal) as Readonly<Record<string, string>>;
    const counted = Object.entries(usage.units).filter(([, count]) => count !== undefined && count > 0) as [
      string,
      number,
    ][];
    const unpriced = counted.filter(([unit]) => prices[unit] === undefined);
    if (unpriced.length > 0)
      this.logger.error({ requestId: ticket.requestId, model: ticket.model, unpriced }, 'units without a price');
    const units = Object.fromEntries(counted.filter(([unit]) => prices[unit] !== undefined));
    if (ticket.isTest === true) return { units, costNanoUsd: 0n };
    return { units, costNanoUsd: usageCost({ units, inputTokensTotal: usage.inputTokensTotal }, price) };
  }
}
