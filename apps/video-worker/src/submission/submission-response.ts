import {
  type ClaimedRequest,
  GatewayError,
  type StoredVideoTask,
  statusOfVideoTask,
  unixSeconds,
  type VideoSubmissionResponse,
} from '@gateway/contracts';
import { costOf, formatUsd, ratesOf } from '@gateway/money';
import type { WorkerVideoTask } from '@gateway/postgres';
import type { SubmissionFacts } from './received-submission.js';

const ACCEPTED = 202;
const RETRY_AFTER_MS = 1_000;

function respond(client: ClaimedRequest, task: StoredVideoTask, headers: Readonly<Record<string, string>>): void {
  const content: VideoSubmissionResponse = {
    id: task.publicId,
    task_id: task.publicId,
    object: 'video.task',
    model: task.model,
    status: statusOfVideoTask(task.state),
    created_at: unixSeconds(task.createdAtMs),
    cost: {
      held_usd: formatUsd(task.holdNanoUsd),
      price: formatUsd(costOf({ [task.unit]: 1 }, ratesOf(task.unitPrices))),
      seconds: task.durationSeconds,
    },
  };
  const body = Buffer.from(JSON.stringify(content));
  client.head({
    status: ACCEPTED,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'x-cost-usd': formatUsd(0n),
      ...headers,
    },
  });
  client.data(body);
  client.end({ costNanoUsd: '0' });
}

/** Sends 202. The response states the hold; the cost is known when the task ends. */
export const respondAccepted = (client: ClaimedRequest, task: StoredVideoTask, balanceNanoUsd: bigint): void =>
  respond(client, task, {
    'x-held-usd': formatUsd(task.holdNanoUsd),
    'x-balance-usd': formatUsd(balanceNanoUsd),
  });

/** Sends the error of a submission that failed or is ambiguous. Nothing is charged so far. */
export function respondFailed(client: ClaimedRequest, error: GatewayError, balanceNanoUsd: bigint | null): void {
  const record = error.toRecord();
  if (balanceNanoUsd === null) client.fail(record);
  else client.fail({ ...record, settled: { costNanoUsd: '0', balanceNanoUsd: balanceNanoUsd.toString() } });
}

/** Sends the existing task of an idempotency key, or an error if the key belongs to a different request. */
export function respondRepeated(client: ClaimedRequest, task: WorkerVideoTask, { idempotency }: SubmissionFacts): void {
  if (idempotency === undefined || task.idempotencyFingerprint !== idempotency.fingerprint) {
    const message = 'This idempotency key was used for a different request.';
    client.fail(new GatewayError('idempotency_conflict', message).toRecord());
  } else if (task.state === 'submitting') {
    const message = 'A request with this idempotency key is still running.';
    client.fail(new GatewayError('idempotency_in_progress', message, { retryAfterMs: RETRY_AFTER_MS }).toRecord());
  } else {
    respond(client, task, { 'idempotent-replayed': 'true', 'idempotent-request-id': task.requestId });
  }
}
