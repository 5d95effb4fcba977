import { GatewayError, type KeyRecord } from '@gateway/contracts';
import { type DatabaseOptions, openDatabase } from '../database.js';
import { isDatabaseUnavailable } from '../database-failure.js';
import { findKeyBySha256 } from './find-key-by-sha256.js';

/** The only access to PostgreSQL of a service that authenticates keys. */
export interface KeyReader {
  /** Null: there is no such key. Rejects with `service_unavailable` if PostgreSQL is unavailable. */
  findKeyBySha256(sha256: string): Promise<KeyRecord | null>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function openKeyReader(options: DatabaseOptions): KeyReader {
  const database = openDatabase(options);
  return {
    findKeyBySha256: (sha256) => findKeyBySha256(database, sha256).catch(throwUnavailable),
    ping: database.ping,
    close: database.close,
  };
}

function throwUnavailable(error: unknown): never {
  if (!isDatabaseUnavailable(error)) throw error;
  throw new GatewayError('service_unavailable', 'Keys cannot be read right now; try again shortly.', {
    retryAfterMs: 1_000,
  });
}
