import { type RequestId, taskIdOf } from '@gateway/contracts';
import { formatUsd, parseUsd } from '@gateway/money';
import type { Posting, ResultOrigin, SettlementRecord } from '@gateway/postgres';
import type { z } from 'zod';
import type { operatorReceipt, receiptRecord } from './statements.description.js';

/** Explains the cost to the reader of the receipt. */
const REASONS = {
  completed: 'The response was complete. Its usage was charged and the remaining hold was released.',
  aborted:
    'The client disconnected, or cancelled the request, before the end. The usage until then was charged and the remaining hold was released.',
  failed: 'There was no response. Nothing was charged and the whole hold was released.',
  interrupted: 'The response was interrupted. The usage until then was charged and the remaining hold was released.',
  cancelled: 'The task was cancelled before it began. Nothing was charged and the whole hold was released.',
  expired: 'The request did not end in time. Nothing was charged and the whole hold was released.',
} as const;

const PER_MILLION_DECIMALS = 15;

/** count × price per million, exact: only the total is rounded, once. */
export function lineAmount(count: number, usdPerMillion: string): string {
  const product = (BigInt(count) * parseUsd(usdPerMillion)).toString().padStart(PER_MILLION_DECIMALS + 1, '0');
  const fraction = product.slice(-PER_MILLION_DECIMALS).replace(/0+$/, '').padEnd(2, '0');
  return `${product.slice(0, -PER_MILLION_DECIMALS)}.${fraction}`;
}

const linesOf = ({ units, unitPrices }: SettlementRecord) =>
  Object.entries(units)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => {
      const price = unitPrices[unit];
      if (price === undefined) return { unit, count, usd_per_million: null, amount_usd: null };
      return { unit, count, usd_per_million: price, amount_usd: lineAmount(count, price) };
    });

const time = (moment: Date | null) => moment?.toISOString() ?? null;
const larger = (left: bigint, right: bigint) => (left > right ? left : right);

const postingView = ({ transactionId, kind, ledgerAccount, amountNanoUsd, createdAt }: Posting) => ({
  transaction_id: transactionId.toString(),
  kind,
  ledger_account: ledgerAccount,
  amount_usd: formatUsd(amountNanoUsd),
  created_at: createdAt.toISOString(),
});

const millis = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

/** Each time is null if the request never got so far, or if it is not known. */
const timelineOf = (settlement: SettlementRecord) => ({
  admitted_at: time(settlement.admittedAt),
  queued_at: time(settlement.queuedAt),
  claimed_at: time(settlement.startedAt),
  upstream_at: millis(settlement.attempts[0]?.startedAtMs),
  first_byte_at: time(settlement.firstByteAt),
  settled_at: time(settlement.settledAt),
  recorded_at: time(settlement.recordedAt),
});

/** Units × unit prices, the hold, the cost, the released amount and the reason. It does not name the channel. */
export const receiptView = (
  settlement: SettlementRecord,
  postings: readonly Posting[],
): z.output<typeof receiptRecord> => ({
  request_id: settlement.requestId,
  object: 'receipt',
  status: 'settled',
  task_id: settlement.endpoint === 'videos.generations' ? taskIdOf(settlement.requestId as RequestId) : null,
  outcome: settlement.outcome,
  reason: REASONS[settlement.outcome as keyof typeof REASONS] ?? null,
  http_status: settlement.status,
  error_code: settlement.errorCode,
  idempotency_key: settlement.idempotencyKey,
  endpoint: settlement.endpoint,
  model: settlement.model,
  key_id: settlement.keyId,
  price_version: settlement.priceVersion,
  lines: linesOf(settlement),
  is_estimated: settlement.isEstimated,
  abort_contract: settlement.abortContract,
  hold_usd: formatUsd(settlement.holdNanoUsd),
  cost_usd: formatUsd(settlement.costNanoUsd),
  released_usd: formatUsd(larger(settlement.holdNanoUsd - settlement.costNanoUsd, 0n)),
  beyond_hold_usd: formatUsd(larger(settlement.costNanoUsd - settlement.holdNanoUsd, 0n)),
  admitted_at: time(settlement.admittedAt),
  started_at: time(settlement.startedAt),
  first_byte_at: time(settlement.firstByteAt),
  settled_at: time(settlement.settledAt),
  recorded_at: time(settlement.recordedAt),
  timeline: timelineOf(settlement),
  changes: { filled: settlement.changes?.filled ?? {}, dropped: settlement.changes?.dropped ?? [] },
  postings: postings.map(postingView),
  attempts: settlement.attempts.map(({ status, error, startedAtMs, endedAtMs }, index) => ({
    number: index + 1,
    status: status ?? null,
    error: error ?? null,
    started_at: new Date(startedAtMs).toISOString(),
    ended_at: new Date(endedAtMs).toISOString(),
  })),
});

/** What only operators see of a receipt. */
export const operatorPart = (
  { vendorCostNanoUsd, attempts }: SettlementRecord,
  origins: readonly ResultOrigin[],
): z.output<typeof operatorReceipt> => ({
  vendor_cost_usd: vendorCostNanoUsd === null ? null : formatUsd(vendorCostNanoUsd),
  channels: attempts.map(({ channel, upstreamId, vendorCostNanoUsd: reported }) => ({
    channel,
    upstream_id: upstreamId ?? null,
    reported_cost_usd: reported === undefined ? null : formatUsd(BigInt(reported)),
  })),
  fetched_results: origins.map((origin) => ({
    file_id: origin.fileId,
    part: origin.part,
    status: origin.status,
    reason: origin.reason,
    attempts: origin.attempts,
    source_url: origin.sourceUrl,
    source_expires_at: origin.sourceExpiresAt.toISOString(),
  })),
});
