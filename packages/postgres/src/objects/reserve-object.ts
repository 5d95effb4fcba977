import type { FileId, FilePurpose, StorageLimits, StoredObject } from '@gateway/contracts';
import type { Database } from '../database.js';
import { readObject, type StoredObjectRow } from './stored-object-row.js';

export interface NewObject {
  readonly id: FileId;
  readonly accountId: string;
  readonly keyId: string;
  readonly isTest: boolean;
  readonly purpose: FilePurpose;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Null: kept until it is deleted. Milliseconds from now. */
  readonly expiresInMs: number | null;
  /** A result: the account's own retention of media, if it has one, replaces `expiresInMs`. */
  readonly isResult?: boolean;
}

/** A writer that takes longer has died: the sweep removes the object and its row. */
const WRITTEN_WITHIN_SECONDS = 3_600;

/**
 * Counts the object in its account before its bytes are written, so that parallel writers never exceed a limit. No reader
 * sees it before `completeObject`. False: the account has reached a limit.
 */
export async function reserveObject({ prisma }: Database, object: NewObject, limits: StorageLimits): Promise<boolean> {
  if (object.bytes > limits.bytes || limits.objects < 1) return false;
  const reserved = await prisma.$executeRaw`
    WITH used AS (
      INSERT INTO store_use AS store (account_id, bytes, objects) VALUES (${object.accountId}, ${object.bytes}::bigint, 1)
      ON CONFLICT (account_id) DO UPDATE SET bytes = store.bytes + excluded.bytes, objects = store.objects + 1
        WHERE store.bytes + store.request_bytes + store.response_bytes + excluded.bytes <= ${limits.bytes}::bigint
          AND store.objects < ${limits.objects}::bigint
      RETURNING account_id
    )
    INSERT INTO stored_object
      (id, account_id, key_id, is_test, purpose, filename, content_type, bytes, sha256, status, due_at, expires_at)
    SELECT ${object.id}, account_id, ${object.keyId}, ${object.isTest}, ${object.purpose}, ${object.filename},
      ${object.contentType}, ${object.bytes}::bigint, ${object.sha256}, 'uploading',
      clock_timestamp() + make_interval(secs => ${WRITTEN_WITHIN_SECONDS}::float8),
      kept_until(account_id, clock_timestamp() + coalesce(
        CASE WHEN ${object.isResult === true} THEN
          (SELECT make_interval(days => media_retention_days) FROM account WHERE account.id = used.account_id) END,
        make_interval(secs => ${object.expiresInMs === null ? null : object.expiresInMs / 1_000}::float8)))
    FROM used`;
  return reserved === 1;
}

/** Shows a written object to its customer. Null: the sweep has removed it, or its customer deleted it meanwhile. */
export async function completeObject({ prisma }: Database, id: string): Promise<StoredObject | null> {
  const [row] = await prisma.$queryRaw<StoredObjectRow[]>`
    UPDATE stored_object SET status = 'ready' WHERE id = ${id} AND status = 'uploading'
      AND NOT EXISTS (SELECT 1 FROM fetched_result WHERE file_id = ${id} AND fetched_result.status = 'deleted')
    RETURNING *`;
  return row === undefined ? null : readObject(row);
}
