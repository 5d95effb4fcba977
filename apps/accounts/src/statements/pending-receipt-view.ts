import { formatUsd } from '@gateway/money';
import type { z } from 'zod';
import type { FoundReceipt } from './find-receipt.service.js';
import type { pendingReceiptRecord } from './statements.description.js';

type Pending = Exclude<FoundReceipt, { state: 'settled' }>;

const REASONS = {
  running: 'The request is still running. Its maximum cost is held.',
  booking: 'The request has ended and its settlement is pending. Try again in a moment.',
} as const;

/** The body before the receipt exists. */
export function pendingReceiptView(pending: Pending): z.output<typeof pendingReceiptRecord> {
  const common = { object: 'receipt', status: pending.state, reason: REASONS[pending.state] } as const;
  if (pending.state === 'booking') return { request_id: pending.requestId, ...common };
  const { requestId, taskId, endpoint, model, keyId, priceVersion, holdNanoUsd, admittedAtMs } = pending.request;
  return {
    request_id: requestId,
    ...common,
    task_id: taskId,
    endpoint,
    model,
    key_id: keyId,
    price_version: priceVersion,
    hold_usd: formatUsd(holdNanoUsd),
    admitted_at: new Date(admittedAtMs).toISOString(),
  };
}
