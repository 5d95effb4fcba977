import type { Batch } from '@gateway/contracts';
import type { Database } from '../database.js';

type BatchFiles = Pick<Batch, 'outputFileId' | 'errorFileId'>;

/** The ids of result files of these batches that can still be read: not deleted, not expired. */
export async function findKeptFiles(
  { prisma }: Database,
  batches: readonly BatchFiles[],
): Promise<ReadonlySet<string>> {
  const ids = batches
    .flatMap(({ outputFileId, errorFileId }) => [outputFileId, errorFileId])
    .filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM stored_object WHERE id = ANY (${ids}::text[])
      AND status = 'ready' AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
  return new Set(rows.map(({ id }) => id));
}
