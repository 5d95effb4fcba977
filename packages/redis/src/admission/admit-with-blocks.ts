import type { AdmissionOutcome } from '@gateway/contracts';

const MAX_BLOCKS = 20;

/**
 * Admits a request, and requests further blocks of the balance from the ledger while that helps. `nextBlock` resolves to
 * whether the ledger granted one. A refusal is final only if no less is missing afterwards: a block that another request
 * fetched may have arrived meanwhile. After a refusal, a request with a hold range takes what Redis has.
 * Null: other requests spent each of the 20 blocks.
 */
export async function admitWithBlocks(
  admit: (takesLess: boolean) => Promise<AdmissionOutcome>,
  nextBlock: (missingNanoUsd: bigint) => Promise<boolean>,
): Promise<AdmissionOutcome | null> {
  let refusedNanoUsd: bigint | undefined;
  let takesLess = false;
  for (let block = 0; block < MAX_BLOCKS; block += 1) {
    const outcome = await admit(takesLess);
    if (outcome.outcome !== 'funds') return outcome;
    const { missingNanoUsd } = outcome;
    if (refusedNanoUsd !== undefined && missingNanoUsd >= refusedNanoUsd) return outcome;
    refusedNanoUsd = (await nextBlock(missingNanoUsd)) ? undefined : missingNanoUsd;
    takesLess ||= refusedNanoUsd !== undefined;
  }
  return null;
}
