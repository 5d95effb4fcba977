import type { StorageLimits, StoredObject } from '@gateway/contracts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.js';
import { type AccountBytes, listFullAccounts } from '../storage/full-accounts.js';
import {
  deleteObject,
  deleteResults,
  discardObject,
  hiddenObjects,
  hideExpiredObjects,
  releaseObject,
  removeObjects,
} from './delete-object.js';
import {
  findObject,
  findSource,
  listObjects,
  type ObjectAccess,
  type ObjectQuery,
  type ResultSource,
} from './find-object.js';
import { removePendingObjects, takePendingObjects } from './pending-objects.js';
import { completeObject, type NewObject, reserveObject } from './reserve-object.js';

/** The rows of what customers keep in the store. Every call rejects if PostgreSQL is unavailable. */
export interface StoredObjects {
  /** Counts an object before its bytes are written. False: its account has reached a limit. */
  reserve(object: NewObject, limits: StorageLimits): Promise<boolean>;
  /** Shows a written object. Null: it took so long that the sweep has removed it. */
  complete(id: string): Promise<StoredObject | null>;
  /** Undoes a reservation. A sweep deletes the bytes. */
  release(id: string): Promise<void>;
  /** Undoes a reservation whose bytes are deleted: its id may be reserved again. */
  discard(id: string): Promise<void>;
  /** Null: this reader has none. */
  find(reader: ObjectAccess, id: string): Promise<StoredObject | null>;
  /** As `find`. `reader` is null for the bearer of an address that the gateway has signed. */
  findAs(reader: ObjectAccess | null, id: string): Promise<StoredObject | null>;
  /** Where the vendor of a result that is not stored still has it. Null: nowhere. */
  findSource(reader: ObjectAccess | null, id: string): Promise<ResultSource | null>;
  /** Null: `after` names no object of this account. */
  list(reader: ObjectAccess, page: ObjectQuery): Promise<readonly StoredObject[] | null>;
  /** Hides an object. False: this reader has none. */
  delete(reader: ObjectAccess, id: string): Promise<boolean>;
  /** Hides the files of a request or of a task. Returns how many it deleted. */
  deleteResults(reader: ObjectAccess, requestId: string): Promise<number>;
  /** The accounts that keep as much as they may. */
  fullAccounts(bytes: AccountBytes): Promise<ReadonlySet<string>>;
  /** Hides objects whose time is over. Returns how many. */
  hideExpired(limit: number): Promise<number>;
  /** Ids of hidden objects whose bytes are to be deleted. */
  hidden(limit: number): Promise<readonly string[]>;
  /** Removes hidden objects whose bytes are deleted. */
  remove(ids: readonly string[]): Promise<number>;
  /** Keys of objects whose writer died before a row named them. From now on no row can name them. */
  takePending(limit: number): Promise<readonly string[]>;
  /** After these objects are deleted. */
  removePending(keys: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

export function storedObjectsIn(database: Database): StoredObjects {
  return {
    reserve: (object, limits) => reserveObject(database, object, limits),
    complete: (id) => completeObject(database, id),
    release: (id) => releaseObject(database, id),
    discard: (id) => discardObject(database, id),
    find: (reader, id) => findObject(database, reader, id),
    findAs: (reader, id) => findObject(database, reader, id),
    findSource: (reader, id) => findSource(database, reader, id),
    list: (reader, page) => listObjects(database, reader, page),
    delete: (reader, id) => deleteObject(database, reader, id),
    deleteResults: (reader, requestId) => deleteResults(database, reader, requestId),
    fullAccounts: (bytes) => listFullAccounts(database, bytes),
    hideExpired: (limit) => hideExpiredObjects(database, limit),
    hidden: (limit) => hiddenObjects(database, limit),
    remove: (ids) => removeObjects(database, ids),
    takePending: (limit) => takePendingObjects(database, limit),
    removePending: (keys) => removePendingObjects(database, keys),
    close: database.close,
  };
}

export const openStoredObjects = (options: DatabaseOptions): StoredObjects => storedObjectsIn(openDatabase(options));
