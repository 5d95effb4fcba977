import {
  type AccountId,
  type AdmissionRequest,
  type KeyId,
  newAccountId,
  newKeyId,
  newRequestId,
  type RequestId,
  type SyncTicket,
  type UsageSettled,
} from '@gateway/contracts';

export const sampleRequest = (more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  requestId: newRequestId(),
  accountId: newAccountId(),
  keyId: newKeyId(),
  requestsPerMinute: 0,
  concurrency: 0,
  holdNanoUsd: 10n,
  holdExpiresAtMs: 9_000_000,
  about: { endpoint: 'chat', model: 'gm-2', priceVersion: 'gm-2@2026-01-01', admittedAtMs: 1_000 },
  ...more,
});

export const sampleSettlement = (
  request: { requestId: RequestId; accountId: AccountId; keyId: KeyId },
  costNanoUsd: bigint,
  more: Partial<UsageSettled> = {},
): UsageSettled => ({
  schemaVersion: 1,
  requestId: request.requestId,
  accountId: request.accountId,
  keyId: request.keyId,
  endpoint: 'chat',
  model: 'gm-2',
  outcome: 'completed',
  holdNanoUsd: '0',
  costNanoUsd: costNanoUsd.toString(),
  priceVersion: 'gm-2@2026-01-01',
  unitPrices: {},
  units: {},
  isEstimated: false,
  attempts: [],
  admittedAtMs: 1_000,
  settledAtMs: 2_000,
  ...more,
});

export const sampleTicket = (more: Partial<SyncTicket> = {}): SyncTicket => ({
  schemaVersion: 1,
  requestId: newRequestId(),
  accountId: newAccountId(),
  keyId: newKeyId(),
  endpoint: 'chat',
  model: 'gm-2',
  price: { version: 'gm-2@2026-01-01', perMillion: {} },
  holdNanoUsd: '10',
  deadlineMs: 9_000_000,
  admittedAtMs: 1_000,
  replyTo: 'ws://127.0.0.1:1/relay',
  claimToken: '00',
  ...more,
});
