import { type Batch, type BatchError, batchError, type FinalBatchStatus, renderBatch } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { BatchClaim, BatchStore } from '@gateway/postgres';
import { type FilePorts, putFile } from './put-file.js';
import { END_REASONS, type StopReason } from './stop-reason.js';

/** How a batch ends that cannot go on. */
export interface EndedBatch {
  readonly status: FinalBatchStatus;
  readonly errors: readonly BatchError[];
}

export interface BatchToEnd {
  readonly claim: BatchClaim;
  /** As it is now. */
  readonly batch: Batch;
  /** Why its last lines did not begin. */
  readonly reason: StopReason | undefined;
  readonly early: EndedBatch | undefined;
}

export interface EndPorts extends FilePorts {
  readonly batches: Pick<BatchStore, 'segments' | 'finish'>;
}

/** Puts the results together and ends the batch, with its event. Undefined: it is another worker's. */
export async function endBatch(
  ports: EndPorts,
  { claim, batch, reason, early }: BatchToEnd,
): Promise<FinalBatchStatus | undefined> {
  const status = early?.status ?? finalStatus(batch, reason);
  const errors = early?.errors ?? (status === 'failed' ? [keyError()] : null);
  const ended = { status, errors, ...(await filesOf(ports, batch)), finishedAtMs: Date.now() };
  const record = renderBatch({ ...batch, ...ended }, formatUsd);
  return (await ports.batches.finish(claim, { ...ended, record })) ? status : undefined;
}

/** Anthropic's clients read the segments themselves. */
async function filesOf(ports: EndPorts, batch: Batch): Promise<Pick<Batch, 'outputFileId' | 'errorFileId'>> {
  const segments = batch.format === 'openai' ? await ports.batches.segments(batch.id) : [];
  const ofErrors = segments.filter(({ isError }) => isError);
  const ofOutput = segments.filter(({ isError }) => !isError);
  return {
    outputFileId: await putFile(ports, batch, ofOutput, 'output'),
    errorFileId: await putFile(ports, batch, ofErrors, 'error'),
  };
}

/** By what happened to its lines: a reason other than the key is lost with the process that had it. */
function finalStatus({ counts }: Batch, reason: StopReason | undefined): FinalBatchStatus {
  if (reason === 'key') return 'failed';
  if (reason === 'cancelled' || counts.cancelled > 0) return 'cancelled';
  return counts.expired > 0 ? 'expired' : 'completed';
}

/** What the row of a batch has, once its key is refused. */
export const keyError = (): BatchError => batchError(END_REASONS.key.code, END_REASONS.key.message);
