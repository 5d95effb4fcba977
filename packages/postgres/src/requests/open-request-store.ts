import type { DurableRequest, ResponseId, Vendor } from '@gateway/contracts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.js';
import { gatherCalls } from '../gather-calls.js';
import { findPendingResponse, type PendingResponse } from '../response-state/pending-response.js';
import {
  type ClaimedRow,
  claimRequests,
  type NewClaim,
  type RenewedClaim,
  type RequestClaim,
  renewClaims,
  returnRequest,
} from './claim-request.js';
import type { OwnedRequest } from './durable-request-row.js';
import { endRequests, endWithResponse, markSettled, type RequestEnd } from './end-request.js';
import {
  addRequests,
  addWithResponse,
  announceBodies,
  deleteEndedRequest,
  deleteRequest,
  findRequests,
  type NewDurableRequest,
  type RequestAccess,
  type RequestQuery,
  requestCancellation,
} from './find-request.js';
import {
  type ExpiredRequest,
  expiredRequests,
  type RequestBacklog,
  readRequestBacklog,
  removeRequests,
  takeDueRequests,
} from './sweep-requests.js';

/** What an edge may do with durable requests. Every call rejects if PostgreSQL is unavailable. */
export interface RequestReader {
  /** Comes before the body of a request is put in the store: without a request, a sweep deletes it. */
  announceBody(requestId: string): Promise<void>;
  /** Returns the request as it is stored. Null: its account keeps as much as it may. */
  add(request: NewDurableRequest): Promise<DurableRequest | null>;
  /** Removes a request that no worker has claimed. False: there is none. */
  delete(requestId: string): Promise<boolean>;
  /** Hides an ended request; a sweep deletes it. False: this account has none that has ended. */
  deleteEnded(reader: RequestAccess, id: string): Promise<boolean>;
  /** Null: this account has none. */
  find(reader: RequestAccess, id: string): Promise<DurableRequest | null>;
  /** Records the request to cancel one that has not ended. Returns it as it is then; null: this account has none. */
  requestCancel(reader: RequestAccess, id: string): Promise<DurableRequest | null>;
  close(): Promise<void>;
}

/** What a worker may do with them. */
export interface RequestStore {
  /** Null: another worker has claimed it, its customer has cancelled it, or it has ended. May be repeated. */
  claim(claim: NewClaim): Promise<ClaimedRow | null>;
  /** Returns the claims that still hold. */
  renew(claims: readonly RequestClaim[], leaseMs: number): Promise<readonly RenewedClaim[]>;
  /** Gives a claimed request back to the queue. False: the claim does not hold, or the request is decided. */
  return(claim: RequestClaim, dueInMs: number): Promise<boolean>;
  /** Ends a request and emits its event, before Redis settles it. False: the claim does not hold. May be repeated. */
  end(end: RequestEnd): Promise<boolean>;
  /** Redis has settled an ended request: no sweep settles it again. */
  markSettled(requestId: string): Promise<void>;
  /** Null: the response is in no background, has ended, or was deleted. */
  findPendingResponse(id: ResponseId): Promise<PendingResponse | null>;
  /**
   * Takes requests whose worker is gone, and queued ones that are due, of these vendors. Takes those of all vendors that only end or are settled.
   * Each is taken by one caller.
   */
  takeDue(vendors: readonly Vendor[], limit: number): Promise<readonly OwnedRequest[]>;
  /** Ended requests whose time is over, the oldest first, and those that were never added and may have a body. */
  expired(limit: number): Promise<readonly ExpiredRequest[]>;
  remove(ids: readonly string[]): Promise<number>;
  backlog(): Promise<RequestBacklog>;
  close(): Promise<void>;
}

/**
 * Statements of one kind begin so far apart while more calls come: a call that comes alone does not wait. What a statement
 * costs beside its rows is then shared by many.
 */
const SPACING_MS = 25;

/** No one waits for it: a sweep settles again what is not marked. */
const SETTLED_SPACING_MS = 250;

export const openRequestReader = (options: DatabaseOptions): RequestReader => requestReaderIn(openDatabase(options));

export const openRequestStore = (options: DatabaseOptions): RequestStore => requestStoreIn(openDatabase(options));

/** For several requests at once: those that come together share a statement. */
export function requestReaderIn(database: Database): RequestReader {
  // The sum of what an account keeps is locked.
  const add = gatherCalls((requests: readonly NewDurableRequest[]) => addRequests(database, requests), {
    groupOf: ({ ticket }) => ticket.accountId,
    spacingMs: SPACING_MS,
  });
  const find = gatherCalls((queries: readonly RequestQuery[]) => findRequests(database, queries), {
    spacingMs: SPACING_MS,
  });
  const announce = gatherCalls<string, undefined>((ids) => announceBodies(database, ids), { spacingMs: SPACING_MS });
  return {
    announceBody: announce,
    add: (request) => {
      const { queuedResponse } = request;
      return queuedResponse === undefined ? add(request) : addWithResponse(database, request, queuedResponse);
    },
    delete: (requestId) => deleteRequest(database, requestId),
    deleteEnded: (reader, id) => deleteEndedRequest(database, reader, id),
    find: ({ accountId, isTest }, id) => find({ accountId, isTest, id }),
    requestCancel: (reader, id) => requestCancellation(database, reader, id),
    close: database.close,
  };
}

/** As `requestReaderIn`. */
export function requestStoreIn(database: Database): RequestStore {
  // The events of an account are locked.
  const end = gatherCalls((ends: readonly RequestEnd[]) => endRequests(database, ends), {
    groupOf: ({ accountId }) => accountId,
    spacingMs: SPACING_MS,
  });
  const mark = gatherCalls<string, unknown>((ids) => markSettled(database, ids), { spacingMs: SETTLED_SPACING_MS });
  const marking = new Set<Promise<void>>();
  return {
    claim: gatherCalls((claims: readonly NewClaim[]) => claimRequests(database, claims), { spacingMs: SPACING_MS }),
    renew: (claims, leaseMs) => renewClaims(database, claims, leaseMs),
    return: (claim, dueInMs) => returnRequest(database, claim, dueInMs),
    end: (ended) => {
      const { endedResponse } = ended;
      return endedResponse === undefined ? end(ended) : endWithResponse(database, ended, endedResponse);
    },
    markSettled: (requestId) => {
      const marked = mark(requestId).then(() => undefined);
      marking.add(marked);
      return marked.finally(() => marking.delete(marked));
    },
    findPendingResponse: (id) => findPendingResponse(database, id),
    takeDue: (vendors, limit) => takeDueRequests(database, vendors, limit),
    expired: (limit) => expiredRequests(database, limit),
    remove: (ids) => removeRequests(database, ids),
    backlog: () => readRequestBacklog(database),
    close: async () => {
      await Promise.allSettled(marking);
      await database.close();
    },
  };
}
