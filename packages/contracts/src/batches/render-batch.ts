import { ENDPOINTS } from '../api/endpoints.js';
import { unixSeconds, unixSecondsOrNull } from '../api/unix-seconds.js';
import type { Batch, BatchError } from './batch.js';

/** Formats nano-USD as decimal USD. */
type FormatUsd = (nanoUsd: bigint) => string;

const isoTime = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

export const COMPLETION_WINDOW = '24h';

/** A batch in OpenAI's format (platform.openai.com/docs/api-reference/batch/object), with its cost. Times in Unix seconds. */
export function renderOpenAiBatch(batch: Batch, usd: FormatUsd) {
  const { status, counts } = batch;
  const isCancelling = batch.cancelRequestedAtMs !== null && batch.finishedAtMs === null;
  const endedAs = (final: Batch['status']): number | null =>
    status === final ? unixSecondsOrNull(batch.finishedAtMs) : null;
  return {
    id: batch.id,
    object: 'batch',
    endpoint: ENDPOINTS[batch.endpoint].path,
    errors: batch.errors === null ? null : { object: 'list', data: batch.errors },
    input_file_id: batch.inputFileId,
    completion_window: COMPLETION_WINDOW,
    status: isCancelling ? 'cancelling' : status,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: unixSeconds(batch.createdAtMs),
    in_progress_at: unixSecondsOrNull(batch.startedAtMs),
    expires_at: unixSeconds(batch.windowEndsAtMs),
    finalizing_at: unixSecondsOrNull(batch.finalizingAtMs),
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: unixSecondsOrNull(batch.cancelRequestedAtMs),
    cancelled_at: endedAs('cancelled'),
    request_counts: { total: batch.total, completed: counts.completed, failed: counts.failed },
    metadata: batch.metadata,
    ...costOf(batch, usd),
  } as const;
}

/**
 * A batch in Anthropic's format (docs.anthropic.com/en/api/retrieving-message-batches), with its cost. Times as RFC 3339.
 * `origin`: the scheme and the host by which the client reaches the gateway. Absent: the address of the results is a path.
 */
export function renderMessageBatch(batch: Batch, usd: FormatUsd, origin = '') {
  const { counts, finishedAtMs } = batch;
  const ended = counts.completed + counts.failed + counts.cancelled + counts.expired;
  const isCancelling = batch.cancelRequestedAtMs !== null && finishedAtMs === null;
  const hasResults = finishedAtMs !== null && batch.resultsRemovedAtMs === null;
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: finishedAtMs !== null ? 'ended' : isCancelling ? 'canceling' : 'in_progress',
    request_counts: {
      processing: batch.total - ended,
      succeeded: counts.completed,
      errored: counts.failed,
      canceled: counts.cancelled,
      expired: counts.expired,
    },
    created_at: isoTime(batch.createdAtMs),
    ended_at: isoTime(finishedAtMs),
    expires_at: isoTime(batch.windowEndsAtMs),
    archived_at: isoTime(batch.resultsRemovedAtMs),
    cancel_initiated_at: isoTime(batch.cancelRequestedAtMs),
    results_url: hasResults ? `${origin}/v1/messages/batches/${batch.id}/results` : null,
    ...costOf(batch, usd),
  } as const;
}

export const renderBatch = (batch: Batch, usd: FormatUsd) =>
  batch.format === 'openai' ? renderOpenAiBatch(batch, usd) : renderMessageBatch(batch, usd);

const costOf = ({ costNanoUsd, budgetNanoUsd, waitsFor }: Batch, usd: FormatUsd) => ({
  cost: { charged_usd: usd(costNanoUsd), max_cost_usd: budgetNanoUsd === null ? null : usd(budgetNanoUsd) },
  waits_for: waitsFor,
});

export const batchError = (
  code: string,
  message: string,
  { param = null, line = null }: Partial<Pick<BatchError, 'param' | 'line'>> = {},
): BatchError => ({ code, message, param, line });
