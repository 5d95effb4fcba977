import { AnnouncementGone } from './failures.js';
import type { ObjectStore, StreamedObject } from './object-store.js';

/**
 * Writes an object that a row has announced, then shows it by that row. `show`: null if a sweep has removed the row because
 * the writer took too long. No sweep would find the bytes any more, so they are deleted. Then it throws AnnouncementGone.
 */
export async function putAnnounced<Row>(
  store: Pick<ObjectStore, 'put' | 'delete'>,
  key: string,
  contents: StreamedObject,
  show: () => Promise<Row | null>,
): Promise<Row> {
  await store.put(key, contents);
  const row = await show();
  if (row !== null) return row;
  await store.delete(key);
  throw new AnnouncementGone(key);
}
