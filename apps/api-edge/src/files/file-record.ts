import {
  type FileListQuery,
  type FilePurpose,
  type FileRecord,
  type PublicFilePurpose,
  type StoredObject,
  unixSeconds,
} from '@gateway/contracts';

const publicPurposeOf = (purpose: FilePurpose): PublicFilePurpose =>
  purpose === 'generation' ? 'assistants_output' : purpose;

/** The purpose in the store that a list asks for, by either of its names. */
export const storedPurposeOf = (purpose: FileListQuery['purpose']): FilePurpose | undefined =>
  purpose === 'assistants_output' ? 'generation' : purpose;

/** The file in the public format. */
export const fileRecord = ({ id, bytes, filename, purpose, ...object }: StoredObject): FileRecord => ({
  id,
  object: 'file',
  bytes,
  created_at: unixSeconds(object.createdAtMs),
  ...(object.expiresAtMs !== null && { expires_at: unixSeconds(object.expiresAtMs) }),
  filename,
  purpose: publicPurposeOf(purpose),
  status: 'processed',
  content_type: object.contentType,
  sha256: object.sha256,
});
