import type { AdmissionOutcome } from '@gateway/contracts';

const BLOCKS_AT_MOST = 20;

/**
 * Admits, and asks for the next block of the balance for as long as that helps. `nextBlock` says whether the ledger handed
 * one over. Its no is the last word only on what is missing now: a block that somebody else asked for may have come
 * meanwhile, and then less is missing, or nothing. Null: block after block came, and others took each of them.
 */
export async function admitWithBlocks(
  admit: () => Promise<AdmissionOutcome>,
  nextBlock: (missingNanoUsd: bigint) => Promise<boolean>,
): Promise<AdmissionOutcome | null> {
  let refusedNanoUsd: bigint | undefined;
  for (let block = 0; block < BLOCKS_AT_MOST; block += 1) {
    const outcome = await admit();
    if (outcome.outcome !== 'funds') return outcome;
    const { missingNanoUsd } = outcome;
    if (refusedNanoUsd !== undefined && missingNanoUsd >= refusedNanoUsd) return outcome;
    refusedNanoUsd = (await nextBlock(missingNanoUsd)) ? undefined : missingNanoUsd;
  }
  return null;
}
