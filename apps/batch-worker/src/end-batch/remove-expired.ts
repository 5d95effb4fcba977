import type { BatchStore } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import pMap from 'p-map';

const BATCH = 20;
const PARALLEL = 8;

/** Objects first: a row that is left names objects that are gone, and is removed by the next round. */
export async function removeExpired(
  batches: Pick<BatchStore, 'expired' | 'removeResults'>,
  objects: Pick<ObjectStore, 'delete'>,
  signal: AbortSignal,
): Promise<void> {
  for (let isLast = false; !isLast && !signal.aborted; ) {
    const expired = await batches.expired(BATCH);
    const keys = expired.flatMap((batch) => batch.objects);
    await pMap(keys, (key) => objects.delete(key), { concurrency: PARALLEL });
    if (expired.length > 0) await batches.removeResults(expired.map(({ id }) => id));
    isLast = expired.length < BATCH;
  }
}
