import type { FilePurpose } from '../api/files.js';
import type { FileId } from '../ids/ids.js';

/** What an account may keep in the store. */
export interface StorageLimits {
  readonly bytes: number;
  readonly objects: number;
}

/** Of an account without credit: anybody may register one. */
export const MAX_BYTES_WITHOUT_CREDIT = 32 * 1024 ** 2;

/** The longest times that an account may set. */
export const MAX_MEDIA_RETENTION_DAYS = 365;
export const MAX_RESULT_RETENTION_HOURS = 720;

/** A complete object of the store, and its row. */
export interface StoredObject {
  readonly id: FileId;
  readonly accountId: string;
  readonly isTest: boolean;
  readonly purpose: FilePurpose;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly createdAtMs: number;
  /** Null: kept until its customer deletes it. */
  readonly expiresAtMs: number | null;
}

/** The key of a file's object in the store. */
export const objectOfFile = (id: string): string => `files/${id}`;

/** What the bytes of an image or a video say. */
export interface MediaProbe {
  readonly contentType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Only of videos. */
  readonly durationSeconds?: number;
}
