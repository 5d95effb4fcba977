import type { AbortContract, Changes, UnitCounts, Usage } from '@gateway/contracts';

/** What admission needs of a valid image request. */
export interface ValidImageRequest {
  /** All images that were requested, at their highest price. */
  readonly worstCase: Usage;
  readonly isStream: boolean;
  readonly changes?: Changes;
  /** What happens when the client leaves. */
  readonly abortContract: AbortContract;
  /** It edits the images that its body has. */
  readonly hasReferences?: true;
}

export const estimatedUsage = (units: UnitCounts, inputTokensTotal = 0): Usage => ({
  units,
  inputTokensTotal,
  isEstimated: true,
});
