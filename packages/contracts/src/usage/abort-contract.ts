/**
 * What happens to a request whose client leaves.
 * - `stops`: the upstream call is cancelled, and the meter is charged. The upstream bills nothing that the meter cannot see.
 * - `completes`: the response is read to its end without the client, and the upstream's count is charged.
 */
export const ABORT_CONTRACTS = ['stops', 'completes'] as const;
export type AbortContract = (typeof ABORT_CONTRACTS)[number];
