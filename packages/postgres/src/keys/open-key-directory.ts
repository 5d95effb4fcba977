import type { KeyRecord } from '@gateway/contracts';
import { type DatabaseOptions, openDatabase } from '../database.js';
import { findKeyBySha256 } from './find-key-by-sha256.js';

/** All that a service which only authenticates needs of Postgres. */
export interface KeyDirectory {
  /** Null: there is no such key. Rejects if Postgres cannot say. */
  findKeyBySha256(sha256: string): Promise<KeyRecord | null>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function openKeyDirectory(options: DatabaseOptions): KeyDirectory {
  const database = openDatabase(options);
  return {
    findKeyBySha256: (sha256) => findKeyBySha256(database, sha256),
    ping: database.ping,
    close: database.close,
  };
}
