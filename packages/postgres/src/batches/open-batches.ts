import type { Batch, BatchError, BatchSegment } from '@gateway/contracts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.js';
import { announceObjects } from '../objects/pending-objects.js';
import {
  type BatchClaim,
  type ClaimedBatch,
  claimBatch,
  type RunningBatch,
  renewBatch,
  returnBatch,
} from './claim-batch.js';
import { type BatchEnd, beginBatch, finalizeBatch, finishBatch, recordErrors } from './end-batch.js';
import {
  addBatch,
  type BatchAccess,
  type BatchPage,
  cancelBatch,
  deleteBatch,
  findBatch,
  isBatchCursor,
  listBatches,
  listSegments,
  type NewBatch,
} from './find-batch.js';
import { type BatchProgress, beginLines, type RecordedLines, readProgress, recordLines } from './record-lines.js';
import {
  type BatchBacklog,
  type ExpiredBatch,
  expiredBatches,
  readBatchBacklog,
  removeResults,
} from './sweep-batches.js';

/** What an edge may do with batches. Every call rejects if PostgreSQL is unavailable. */
export interface BatchReader {
  /** Comes before lines are put in the store: without a batch, a sweep deletes them. */
  announce(object: string): Promise<void>;
  /** Null: the account has too many batches that have not ended. */
  add(batch: NewBatch): Promise<Batch | null>;
  /** Null: this account has none of this format. */
  find(access: BatchAccess, id: string): Promise<Batch | null>;
  /** The newest first. */
  list(access: BatchAccess, page: BatchPage): Promise<readonly Batch[]>;
  /** True if a page of this account may begin at the id. */
  isCursor(access: BatchAccess, id: string): Promise<boolean>;
  /** Records the request to cancel. Returns the batch as it is then; null: this account has none. */
  cancel(access: BatchAccess, id: string): Promise<Batch | null>;
  /** False: it has not ended. */
  delete(access: BatchAccess, id: string): Promise<boolean>;
  segments(batchId: string): Promise<readonly BatchSegment[]>;
  close(): Promise<void>;
}

/** What a worker may do with them. Without a valid claim nothing changes. */
export interface BatchStore {
  /** Null: no batch is due. */
  claim(owner: string, leaseMs: number): Promise<ClaimedBatch | null>;
  /** The batch as it is; null: the claim does not hold any more. */
  renew(claim: BatchClaim, leaseMs: number): Promise<RunningBatch | null>;
  return(claim: BatchClaim, why: { readonly dueInMs: number; readonly waitsFor: string | null }): Promise<boolean>;
  begin(claim: BatchClaim, total: number): Promise<boolean>;
  progress(batchId: string): Promise<BatchProgress>;
  /** Written before lines begin. */
  beginLines(claim: BatchClaim, through: number): Promise<boolean>;
  /** Comes before segments are put in the store: a sweep deletes those that are not recorded. */
  announce(objects: readonly string[]): Promise<void>;
  /** Counts each segment once, however often it is called. Throws if an object was not announced within the last hour. */
  record(claim: BatchClaim, lines: RecordedLines): Promise<boolean>;
  segments(batchId: string): Promise<readonly BatchSegment[]>;
  /** Written before the rest of a batch ends that fails. */
  recordErrors(claim: BatchClaim, errors: readonly BatchError[]): Promise<boolean>;
  finalize(claim: BatchClaim): Promise<boolean>;
  /** Ends the batch and emits its event. */
  finish(claim: BatchClaim, end: BatchEnd): Promise<boolean>;
  expired(limit: number): Promise<readonly ExpiredBatch[]>;
  removeResults(ids: readonly string[]): Promise<void>;
  backlog(): Promise<BatchBacklog>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export const openBatchReader = (options: DatabaseOptions): BatchReader => batchReaderIn(openDatabase(options));
export const openBatchStore = (options: DatabaseOptions): BatchStore => batchStoreIn(openDatabase(options));

export function batchReaderIn(database: Database): BatchReader {
  return {
    announce: (object) => announceObjects(database, [object]),
    add: (batch) => addBatch(database, batch),
    find: (access, id) => findBatch(database, access, id),
    list: (access, page) => listBatches(database, access, page),
    isCursor: (access, id) => isBatchCursor(database, access, id),
    cancel: (access, id) => cancelBatch(database, access, id),
    delete: (access, id) => deleteBatch(database, access, id),
    segments: (batchId) => listSegments(database, batchId),
    close: database.close,
  };
}

export function batchStoreIn(database: Database): BatchStore {
  return {
    claim: (owner, leaseMs) => claimBatch(database, owner, leaseMs),
    renew: (claim, leaseMs) => renewBatch(database, claim, leaseMs),
    return: (claim, why) => returnBatch(database, claim, why),
    begin: (claim, total) => beginBatch(database, claim, total),
    progress: (batchId) => readProgress(database, batchId),
    beginLines: (claim, through) => beginLines(database, claim, through),
    announce: (objects) => announceObjects(database, objects),
    record: (claim, lines) => recordLines(database, claim, lines),
    segments: (batchId) => listSegments(database, batchId),
    recordErrors: (claim, errors) => recordErrors(database, claim, errors),
    finalize: (claim) => finalizeBatch(database, claim),
    finish: (claim, end) => finishBatch(database, claim, end),
    expired: (limit) => expiredBatches(database, limit),
    removeResults: (ids) => removeResults(database, ids),
    backlog: () => readBatchBacklog(database),
    ping: database.ping,
    close: database.close,
  };
}
