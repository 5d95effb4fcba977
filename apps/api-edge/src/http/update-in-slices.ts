import type { Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_BYTES = 1024 * 1024;

/** A megabyte takes two milliseconds. Between two of them other requests have their turn. */
export async function updateInSlices(hash: Hash, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    if (start > 0) await nextTurn();
    hash.update(bytes.subarray(start, start + SLICE_BYTES));
  }
}
