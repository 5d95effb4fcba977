import type { ModelWithCapability } from '@gateway/catalogue';
import type { AccountId, KeyId, RequestId, SyncTicket, UsageSettled, VideoSubmission } from '@gateway/contracts';
import { taskIdOf } from '@gateway/contracts';
import type { NewVideoTask } from '@gateway/postgres';

/** The text that upstreams repeat in their records. */
function promptOf({ input }: VideoSubmission): string | null {
  return typeof input.prompt === 'string' ? input.prompt : null;
}

const unitPricesOf = ({ price }: SyncTicket, { unit }: VideoSubmission): Record<string, string> => {
  const perSecond = price.perMillion[unit];
  return perSecond === undefined ? {} : { [unit]: perSecond };
};

/** The row of a submission, from its ticket and what the edge made of the client's request. */
export function newTask(
  ticket: SyncTicket,
  submission: VideoSubmission,
  model: ModelWithCapability<'video'>,
  /** Of the submission's own span. */
  traceparent: string | null,
  /** In the place of the model's own. */
  deadlineSeconds = model.video.traits.deadlineSeconds,
): NewVideoTask {
  const requestId = ticket.requestId as RequestId;
  return {
    taskId: taskIdOf(requestId),
    requestId,
    accountId: ticket.accountId as AccountId,
    keyId: ticket.keyId as KeyId,
    isTest: ticket.isTest === true,
    model: model.id,
    vendor: model.vendor,
    durationSeconds: submission.durationSeconds,
    resolution: submission.resolution,
    aspectRatio: submission.aspectRatio,
    unit: submission.unit,
    priceVersion: ticket.price.version,
    unitPrices: unitPricesOf(ticket, submission),
    holdNanoUsd: ticket.holdNanoUsd,
    prompt: promptOf(submission),
    webhookUrl: submission.webhookUrl ?? null,
    idempotencyKey: submission.idempotency?.key ?? null,
    idempotencyFingerprint: submission.idempotency?.fingerprint ?? null,
    createdAtMs: ticket.admittedAtMs,
    expiresAtMs: ticket.admittedAtMs + deadlineSeconds * 1_000,
    traceparent,
  };
}

/** How the request of a ticket leaves Redis: as a task that the ledger keeps the hold of, or as nothing. */
export function settlementOf(
  ticket: SyncTicket,
  outcome: 'held' | 'failed' | 'aborted',
  errorCode?: string,
): UsageSettled {
  return {
    schemaVersion: 1,
    requestId: ticket.requestId,
    accountId: ticket.accountId,
    keyId: ticket.keyId,
    endpoint: ticket.endpoint,
    model: ticket.model,
    outcome,
    holdNanoUsd: ticket.holdNanoUsd,
    costNanoUsd: outcome === 'held' ? ticket.holdNanoUsd : '0',
    priceVersion: ticket.price.version,
    unitPrices: {},
    units: {},
    isEstimated: false,
    ...(errorCode !== undefined && { errorCode }),
    attempts: [],
    admittedAtMs: ticket.admittedAtMs,
    settledAtMs: Date.now(),
  };
}
