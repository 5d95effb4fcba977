import { formatUsd } from '@gateway/money';
import type { FoundReceipt } from './find-receipt.service.js';

type Pending = Exclude<FoundReceipt, { state: 'settled' }>;

const REASONS = {
  running: 'The request has not ended yet: what it may cost is held.',
  booking: 'The request has ended and is being booked: ask again in a moment.',
} as const;

/** What can be said before the receipt. */
export function pendingReceiptView(pending: Pending) {
  const said = { object: 'receipt', status: pending.state, reason: REASONS[pending.state] } as const;
  if (pending.state === 'booking') return { request_id: pending.requestId, ...said };
  const { requestId, taskId, endpoint, model, keyId, priceVersion, holdNanoUsd, admittedAtMs } = pending.request;
  return {
    request_id: requestId,
    ...said,
    task_id: taskId,
    endpoint,
    model,
    key_id: keyId,
    price_version: priceVersion,
    hold_usd: formatUsd(holdNanoUsd),
    admitted_at: new Date(admittedAtMs).toISOString(),
  };
}
