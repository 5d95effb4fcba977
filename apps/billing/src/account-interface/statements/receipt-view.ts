import { type RequestId, taskIdOf } from '@gateway/contracts';
import { formatUsd, parseUsd } from '@gateway/money';
import type { SettlementRecord } from '@gateway/postgres';

/** Why a request cost what it cost, for the person who reads the receipt. */
const REASONS = {
  completed: 'The answer was given whole: what it used was charged, the rest of the hold went back.',
  aborted: 'The client left before the end: what had been used by then was charged, the rest went back.',
  failed: 'No answer was given: nothing was charged, the whole hold went back.',
  interrupted: 'The answer broke off: what had been used by then was charged, the rest went back.',
  cancelled: 'The task was cancelled before it began: nothing was charged, the whole hold went back.',
  expired: 'It did not end in its time: nothing was charged, the whole hold went back.',
} as const;

const PER_MILLION_DECIMALS = 15;

/** count × price per million, exact: nothing is rounded on a line, only once on the whole. */
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
const most = (left: bigint, right: bigint) => (left > right ? left : right);

/** Units × unit price, hold, settlement, what went back and why. Which channel served it stays inside. */
export const receiptView = (settlement: SettlementRecord) => ({
  request_id: settlement.requestId,
  object: 'receipt',
  status: 'settled',
  task_id: settlement.endpoint === 'videos.generations' ? taskIdOf(settlement.requestId as RequestId) : null,
  outcome: settlement.outcome,
  reason: REASONS[settlement.outcome as keyof typeof REASONS] ?? null,
  error_code: settlement.errorCode,
  endpoint: settlement.endpoint,
  model: settlement.model,
  key_id: settlement.keyId,
  price_version: settlement.priceVersion,
  lines: linesOf(settlement),
  is_estimated: settlement.isEstimated,
  hold_usd: formatUsd(settlement.holdNanoUsd),
  cost_usd: formatUsd(settlement.costNanoUsd),
  released_usd: formatUsd(most(settlement.holdNanoUsd - settlement.costNanoUsd, 0n)),
  beyond_hold_usd: formatUsd(most(settlement.costNanoUsd - settlement.holdNanoUsd, 0n)),
  admitted_at: time(settlement.admittedAt),
  started_at: time(settlement.startedAt),
  first_byte_at: time(settlement.firstByteAt),
  settled_at: time(settlement.settledAt),
  recorded_at: time(settlement.recordedAt),
  attempts: settlement.attempts.map(({ status, error, startedAtMs, endedAtMs }, index) => ({
    number: index + 1,
    status: status ?? null,
    error: error ?? null,
    started_at: new Date(startedAtMs).toISOString(),
    ended_at: new Date(endedAtMs).toISOString(),
  })),
});
