import type { AccountId, AdmissionRequest, KeyId, RequestId } from '@gateway/contracts';

/** One open hold: enough to settle and explain the request without its ticket. */
export interface HoldRecord {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly amountNanoUsd: bigint;
  readonly expiresAtMs: number;
  readonly about: AdmissionRequest['about'];
}

/** Undefined if the hold was settled while it was being read. */
export function readHold(requestId: string, fields: Record<string, string>): HoldRecord | undefined {
  const { account, key, amount, expiresAt, about } = fields;
  if (account === undefined || key === undefined || amount === undefined || about === undefined) return undefined;
  return {
    requestId: requestId as RequestId,
    accountId: account as AccountId,
    keyId: key as KeyId,
    amountNanoUsd: BigInt(amount),
    expiresAtMs: Number(expiresAt),
    about: JSON.parse(about) as HoldRecord['about'],
  };
}
