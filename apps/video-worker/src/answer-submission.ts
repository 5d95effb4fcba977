import {
  GatewayError,
  type StoredVideoTask,
  statusOfVideoTask,
  type VideoSubmission,
  type VideoSubmissionResponse,
} from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { WorkerVideoTask } from '@gateway/postgres';
import type { RequestStream } from '@gateway/relay';

const ACCEPTED = 202;
const COME_BACK_MS = 1_000;

function answer(claimed: RequestStream, task: StoredVideoTask, more: Readonly<Record<string, string>>): void {
  const content: VideoSubmissionResponse = {
    id: task.publicId,
    task_id: task.publicId,
    object: 'video.task',
    model: task.model,
    status: statusOfVideoTask(task.state),
    created_at: Math.floor(task.createdAtMs / 1_000),
  };
  const body = Buffer.from(JSON.stringify(content));
  claimed.head({
    status: ACCEPTED,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'x-cost-usd': formatUsd(0n),
      ...more,
    },
  });
  claimed.data(body);
  claimed.end({ costNanoUsd: '0' });
}

/** 202: the task is written down as taken. A hold is not a cost: that comes with the task's end. */
export const answerSubmission = (claimed: RequestStream, task: StoredVideoTask, balanceNanoUsd: bigint): void =>
  answer(claimed, task, {
    'x-hold-usd': formatUsd(task.holdNanoUsd),
    'x-balance-usd': formatUsd(balanceNanoUsd),
  });

/** It was not taken, or nobody knows: nothing is charged by now. */
export function refuseSubmission(claimed: RequestStream, error: GatewayError, balanceNanoUsd: bigint | null): void {
  const record = error.toRecord();
  if (balanceNanoUsd === null) claimed.fail(record);
  else claimed.fail({ ...record, settled: { costNanoUsd: '0', balanceNanoUsd: balanceNanoUsd.toString() } });
}

/** The client's idempotency key has been used for this task: it is named again, unless the key was used for another request. */
export function answerRepeated(claimed: RequestStream, task: WorkerVideoTask, { idempotency }: VideoSubmission): void {
  if (idempotency === undefined || task.idempotencyFingerprint !== idempotency.fingerprint) {
    const message = 'This idempotency key has been used for another request.';
    claimed.fail(new GatewayError('idempotency_conflict', message).toRecord());
  } else if (task.state === 'submitting') {
    const message = 'A request with this idempotency key is still running.';
    claimed.fail(new GatewayError('idempotency_in_progress', message, { retryAfterMs: COME_BACK_MS }).toRecord());
  } else {
    answer(claimed, task, { 'idempotent-replayed': 'true', 'idempotent-request-id': task.requestId });
  }
}
