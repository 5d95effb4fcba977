import type { FileId, FilePurpose, StoredObject } from '@gateway/contracts';

/** A row of `stored_object`, as a raw query returns it. */
export interface StoredObjectRow {
  readonly id: string;
  readonly account_id: string;
  readonly is_test: boolean;
  readonly purpose: string;
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: bigint;
  readonly sha256: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
}

export const readObject = (row: StoredObjectRow): StoredObject => ({
  id: row.id as FileId,
  accountId: row.account_id,
  isTest: row.is_test,
  purpose: row.purpose as FilePurpose,
  filename: row.filename,
  contentType: row.content_type,
  bytes: Number(row.bytes),
  sha256: row.sha256,
  createdAtMs: row.created_at.getTime(),
  expiresAtMs: row.expires_at?.getTime() ?? null,
});
