import type { AdmissionRequest, KeyRecord, RequestLimits } from '@gateway/contracts';

/** An own limit that is not below the account's never decides, and its counter would cost admission time. */
const lowering = (own: number | null, account: number): number =>
  own === null || (account !== 0 && own >= account) ? 0 : own;

/** What admission checks: the account's limits over all its keys, and those by which the key lowers them. */
export function limitsOf(
  { keyLimits, accountLimits }: Pick<KeyRecord, 'keyLimits' | 'accountLimits'>,
  defaults: RequestLimits,
): Pick<AdmissionRequest, 'accountLimits' | 'keyLimits'> {
  const requestsPerMinute = accountLimits.requestsPerMinute ?? defaults.requestsPerMinute;
  const concurrency = accountLimits.concurrency ?? defaults.concurrency;
  return {
    accountLimits: { requestsPerMinute, concurrency },
    keyLimits: {
      requestsPerMinute: lowering(keyLimits.requestsPerMinute, requestsPerMinute),
      concurrency: lowering(keyLimits.concurrency, concurrency),
    },
  };
}
