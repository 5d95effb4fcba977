import {
  type AccountId,
  type AdmissionRequest,
  type KeyId,
  newAccountId,
  newKeyId,
  newRequestId,
  type RequestId,
  type RequestLimits,
  type SyncTicket,
  type UsageSettled,
} from '@gateway/contracts';

/** `requestsPerMinute` and `concurrency` limit the key; 0: unlimited. */
export const sampleRequest = ({
  requestsPerMinute = 0,
  concurrency = 0,
  ...more
}: Partial<AdmissionRequest & RequestLimits> = {}): AdmissionRequest => ({
  requestId: newRequestId(),
  accountId: newAccountId(),
  keyId: newKeyId(),
  accountLimits: { requestsPerMinute: 0, concurrency: 0 },
  keyLimits: { requestsPerMinute, concurrency },
  holdNanoUsd: 10n,
  holdMs: 9_000_000,
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
