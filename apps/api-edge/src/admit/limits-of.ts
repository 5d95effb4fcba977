import type { AdmissionRequest, KeyRecord, ParentLimit, RequestLimits } from '@gateway/contracts';

/** An own limit that is not below the account's never decides, and its counter would cost admission time. */
const lowering = (own: number | null, account: number): number =>
  own === null || (account !== 0 && own >= account) ? 0 : own;

/** Of a batch: the other half of the concurrency stays free for requests whose clients wait. */
const halfOf = (concurrency: number): number => Math.ceil(concurrency / 2);

/** What admission checks: the account's limits over all its keys, and those by which the key and the keys above it lower them. */
export function limitsOf(
  { keyLimits, accountLimits, parentLimits }: Pick<KeyRecord, 'keyLimits' | 'accountLimits' | 'parentLimits'>,
  defaults: RequestLimits,
  isOfBatch = false,
): Pick<AdmissionRequest, 'accountLimits' | 'keyLimits' | 'parentLimits'> {
  const requestsPerMinute = accountLimits.requestsPerMinute ?? defaults.requestsPerMinute;
  const concurrency = accountLimits.concurrency ?? defaults.concurrency;
  const lowers = (limit: ParentLimit): boolean => lowering(limit.concurrency, concurrency) > 0;
  const share = isOfBatch ? halfOf : (own: number): number => own;
  return {
    accountLimits: { requestsPerMinute, concurrency: share(concurrency) },
    keyLimits: {
      requestsPerMinute: lowering(keyLimits.requestsPerMinute, requestsPerMinute),
      concurrency: share(lowering(keyLimits.concurrency, concurrency)),
    },
    ...(parentLimits !== undefined && {
      parentLimits: parentLimits.filter(lowers).map((limit) => ({ ...limit, concurrency: share(limit.concurrency) })),
    }),
  };
}
