import type { FileRecord, StoredObject } from '@gateway/contracts';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

/** The file in the public format. */
export const fileRecord = ({ id, bytes, filename, purpose, ...object }: StoredObject): FileRecord => ({
  id,
  object: 'file',
  bytes,
  created_at: seconds(object.createdAtMs),
  ...(object.expiresAtMs !== null && { expires_at: seconds(object.expiresAtMs) }),
  filename,
  purpose,
  status: 'processed',
  content_type: object.contentType,
  sha256: object.sha256,
});
