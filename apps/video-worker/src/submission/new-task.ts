import type { ModelWithCapability } from '@gateway/catalogue';
import {
  type AccountId,
  buildUsageSettled,
  inputVideoUnitOf,
  type KeyId,
  type RequestId,
  type SyncTicket,
  taskIdOf,
  type UsageSettled,
} from '@gateway/contracts';
import type { NewVideoTask } from '@gateway/postgres';
import type { SubmissionFacts } from './received-submission.js';

/** The input seconds have a price only where they are charged. */
const unitPricesOf = ({ price }: SyncTicket, { unit }: SubmissionFacts): Record<string, string> => {
  const units = [unit, inputVideoUnitOf(unit)];
  return Object.fromEntries(
    units.flatMap((priced) => {
      const perSecond = priced && price.perMillion[priced];
      return perSecond === undefined ? [] : [[priced, perSecond]];
    }),
  );
};

/** Builds the row of a submission from its ticket and the facts of its request. */
export function newTask(
  ticket: SyncTicket,
  submission: SubmissionFacts,
  model: ModelWithCapability<'video'>,
  /** The span of the submission. */
  traceparent: string | null,
  /** Replaces the model's deadline. */
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
    prompt: submission.prompt,
    seed: submission.seed,
    webhookUrl: submission.webhookUrl ?? null,
    ...(submission.retainSeconds !== undefined && { retainSeconds: submission.retainSeconds }),
    idempotencyKey: submission.idempotency?.key ?? null,
    idempotencyFingerprint: submission.idempotency?.fingerprint ?? null,
    createdAtMs: ticket.admittedAtMs,
    expiresAtMs: ticket.admittedAtMs + deadlineSeconds * 1_000,
    traceparent,
  };
}

/** The settlement that ends a request in Redis: its hold moves to the task (`held`) or is released. */
export const settlementOf = (
  ticket: SyncTicket,
  outcome: 'held' | 'failed' | 'aborted',
  errorCode?: string,
): UsageSettled =>
  buildUsageSettled(
    { ...ticket, priceVersion: ticket.price.version },
    { outcome, costNanoUsd: outcome === 'held' ? BigInt(ticket.holdNanoUsd) : 0n, errorCode, settledAtMs: Date.now() },
  );
