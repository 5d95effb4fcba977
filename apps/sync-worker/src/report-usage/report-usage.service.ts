import { type CatalogueModel, modelOfPrice } from '@gateway/catalogue';
import { VendorCosts } from '@gateway/channels';
import {
  buildUsageSettled,
  type Changes,
  type ResponseEnd,
  type SettlementOutcome,
  type SyncTicket,
  type UpstreamAttempt,
  type Usage,
  type UsageSettled,
} from '@gateway/contracts';
import { BoundedLabel, type Logger, type Tracing } from '@gateway/observability';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkerMetrics } from '../observability/metrics.js';
import { LOGGER, SETTLER, TRACING, WORKER_METRICS } from '../tokens.js';
import { capEstimate } from './cap-estimate.js';
import { priceUsage, vendorCostOfUsage } from './price-usage.js';
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
  /** The HTTP status of the response. */
  readonly status: number;
  /** What the adapter changed in the request. */
  readonly changes?: Changes | undefined;
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

/** Prices and settles a request's usage, at the price frozen in its ticket. */
@Injectable()
export class ReportUsage {
  readonly #fields = new BoundedLabel();

  constructor(
    @Inject(SETTLER) private readonly settler: Settler,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    private readonly vendorCosts: VendorCosts,
  ) {}

  /** `keep` runs before the settlement, and prevents it if it rejects. */
  async settle(
    ticket: SyncTicket,
    { usage: metered, ...report }: UsageReport,
    keep: (event: UsageSettled) => Promise<void> | undefined = () => undefined,
  ): Promise<Settled> {
    const usage = capEstimate(ticket, metered);
    const { unpriced, ...priced } = priceUsage(ticket, usage);
    this.#raiseUnpriced(ticket, unpriced);
    const event = buildUsageSettled(
      { ...ticket, priceVersion: ticket.price.version },
      {
        ...report,
        ...priced,
        vendorCostNanoUsd: vendorCostOf(ticket, usage, report.attempts),
        isEstimated: usage.isEstimated,
        settledAtMs: Date.now(),
      },
    );
    const kept = keep(event);
    if (kept !== undefined) await kept;
    const settlement = await this.settler.settle(event, SETTLEMENT_WAIT_MS);
    traceTicket(this.tracing, ticket, event);
    this.vendorCosts.compare({ ...event, isTest: ticket.isTest === true, chargedNanoUsd: priced.costNanoUsd });
    this.#log(event);
    return { costNanoUsd: priced.costNanoUsd, balanceNanoUsd: settlement?.balanceNanoUsd };
  }

  /** Nano-USD at the ticket's frozen price; 0 for a test key. */
  costOf(ticket: SyncTicket, usage: Usage): bigint {
    return priceUsage(ticket, usage).costNanoUsd;
  }

  /** What has no price cannot be charged: the vendor may bill it, so somebody must look. */
  #raiseUnpriced({ requestId, endpoint, model, price }: SyncTicket, unpriced: readonly string[]): void {
    if (unpriced.length === 0) return;
    const protocol = protocolOf(modelOfPrice(model, price.version), endpoint);
    for (const field of unpriced) this.metrics.unpricedUsage.inc({ protocol, field: this.#fields.of(field) });
    this.logger.error({ requestId, model, protocol, unpriced }, 'usage without a price');
  }

  #log({ requestId, accountId, model, outcome, errorCode, isEstimated, attempts }: UsageSettled): void {
    const channel = attempts.at(-1)?.channel;
    const fields = { requestId, accountId, model, outcome, errorCode, isEstimated, attempts: attempts.length, channel };
    this.logger.info(fields, 'request settled');
  }
}

/** The vendor's own report goes before the catalogue. */
function vendorCostOf(ticket: SyncTicket, usage: Usage, attempts: readonly UpstreamAttempt[]): bigint | undefined {
  const reported = ticket.isTest === true ? undefined : attempts.at(-1)?.vendorCostNanoUsd;
  return reported === undefined ? vendorCostOfUsage(ticket, usage) : BigInt(reported);
}

/** The upstream protocol of an endpoint's model, for the label of a metric. */
function protocolOf(model: CatalogueModel | undefined, endpoint: string): string {
  const { chat, embeddings, imageGeneration, imageEdits, rerank, speech } = model ?? {};
  const protocols: Readonly<Record<string, string | undefined>> = {
    embeddings: embeddings?.protocol,
    rerank: rerank?.protocol,
    'audio.speech': speech?.protocol,
    'images.generations': imageGeneration?.protocol,
    'images.edits': imageEdits?.protocol,
  };
  return protocols[endpoint] ?? chat?.protocol ?? 'unknown';
}
