import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Batch, type BatchSegment, newFileId, objectOfFile } from '@gateway/contracts';
import type { StoredObjects } from '@gateway/postgres';
import { type ObjectStore, putAnnounced } from '@gateway/store';
import type { BatchFailpoints } from '../failpoints.js';

/** Results count against the account's storage, but no limit may lose what was paid for. */
const NO_LIMIT = { bytes: Number.MAX_SAFE_INTEGER, objects: Number.MAX_SAFE_INTEGER };

export interface FilePorts {
  readonly files: Pick<StoredObjects, 'reserve' | 'complete' | 'release'>;
  readonly objects: Pick<ObjectStore, 'put' | 'stream' | 'delete'>;
  readonly failpoints: BatchFailpoints;
}

/**
 * Joins segments to a file of the account, without holding them. Null: there are none. A process that dies before its batch
 * names the file leaves a second copy of it, and never none.
 */
export async function putFile(
  { files, objects, failpoints }: FilePorts,
  { id: batchId, accountId, keyId, isTest, outputSeconds }: Batch,
  segments: readonly BatchSegment[],
  kind: 'output' | 'error',
): Promise<string | null> {
  if (segments.length === 0) return null;
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const sha256 = await hashOf(joined(objects, segments));
  const id = newFileId();
  const names = { filename: `${batchId}_${kind}.jsonl`, contentType: 'application/jsonl' };
  const object = { ...names, id, accountId, keyId, isTest, purpose: 'batch_output' as const, bytes, sha256 };
  await files.reserve({ ...object, expiresInMs: outputSeconds * 1_000 }, NO_LIMIT);
  try {
    const stream = Readable.from(joined(objects, segments), { objectMode: false });
    await putAnnounced(objects, objectOfFile(id), { stream, bytes }, () => files.complete(id));
  } catch (error) {
    await files.release(id);
    throw error;
  }
  failpoints.reach('after-file');
  return id;
}

async function* joined(objects: FilePorts['objects'], segments: readonly BatchSegment[]): AsyncGenerator<Buffer> {
  for (const segment of segments) yield* await objects.stream(segment.object, segment);
}

async function hashOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
