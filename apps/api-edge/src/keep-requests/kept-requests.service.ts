import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bodyObject,
  type DurableRequest,
  GatewayError,
  isRequestId,
  type KeyRecord,
  MAX_SHORT_BYTES,
  responseObject,
  type SyncTicket,
} from '@gateway/contracts';
import { mayAsk } from '@gateway/intake';
import type { Logger } from '@gateway/observability';
import { type FinishedResponse, isReplyLost, type RequestReader, type StoredObjects } from '@gateway/postgres';
import { isObjectMissing, isStoreFull, type ObjectStore, type WholeObject } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import type { AdmittedRequest, StorageCheck } from '../edge-request.js';
import { unlessAway } from '../http/unless-away.js';
import {
  EDGE_CONFIG,
  type EdgeConfig,
  LOGGER,
  OBJECT_STORE,
  REQUEST_READER,
  STORAGE_CHECK,
  STORED_OBJECTS,
} from '../tokens.js';

/** A ticket that no worker has claimed by then is queued again by a worker's sweep. */
const QUEUED_AGAIN_AFTER_MS = 20_000;
/** A row that is added late is removed before a sweep queues it. */
const REMOVED_EVERY_MS = 2_000;
/** A silent PostgreSQL runs late what it was sent. */
const REMOVED_FOR_MS = 60_000;

interface Keeping {
  readonly webhookUrl: string | null;
  /** Present for a response in the background. */
  readonly queuedResponse: FinishedResponse | undefined;
  /** Undefined: as long as the results of its account. */
  readonly retentionMs: number | undefined;
}

/** The requests whose body and response are kept. Every id of another account, or of the other mode, is a 404. */
@Injectable()
export class KeptRequests {
  constructor(
    @Inject(REQUEST_READER) private readonly requests: RequestReader,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | undefined,
    @Inject(EDGE_CONFIG) private readonly config: Pick<EdgeConfig, 'resultRetentionMs' | 'storageLimits'>,
    @Inject(STORED_OBJECTS) private readonly objects: Pick<StoredObjects, 'deleteResults'>,
    @Inject(STORAGE_CHECK) private readonly storage: StorageCheck,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws a 400 if this deployment keeps no results. `param`: what asks for it. */
  checkEnabled(param: 'Prefer' | 'background'): void {
    if (this.store !== undefined) return;
    throw new GatewayError(
      'invalid_request',
      `'${param}': this deployment keeps no results, so it cannot respond later.`,
      { param },
    );
  }

  /** Where `add` stores its body. */
  placeOf(request: AdmittedRequest): 'row' | 'store' {
    return shortBodyOf(request) === undefined ? 'store' : 'row';
  }

  /** Stores body and request. Throws 413 if the account keeps as much as it may, 507 if the store is full, 503 if it or PostgreSQL is away; then nothing will run. */
  async add(
    request: AdmittedRequest,
    ticket: SyncTicket,
    { webhookUrl, queuedResponse, retentionMs }: Keeping,
  ): Promise<DurableRequest> {
    const { requestId, body, model, admittedAtMs, deadlineMs } = request;
    const shortBody = shortBodyOf(request);
    if (shortBody === undefined) await this.#put(requestId, body);
    const { resultRetentionMs, storageLimits } = this.config;
    const added = await this.requests
      .add({
        ticket,
        vendor: model.vendor,
        ...{ webhookUrl, queuedResponse, retentionMs, deadlineMs },
        createdAtMs: admittedAtMs,
        dueInMs: QUEUED_AGAIN_AFTER_MS,
        defaultRetentionMs: resultRetentionMs,
        shortBody,
        bytes: Buffer.isBuffer(body) ? body.length : body.bytes,
        // A test key needs no credit, so that its account may be one that anybody registered.
        limitBytes: ticket.isTest === true && this.storage.has(ticket.accountId) ? 0 : storageLimits.bytes,
      })
      .catch((error: unknown) => {
        this.logger.warn({ err: error, requestId }, 'storing a request failed');
        // A silent PostgreSQL is silent for the removal too: its client need not wait for that.
        void (isReplyLost(error) ? this.#removeLate(request) : this.#discard(request));
        throw unavailable();
      });
    if (added !== null) return added;
    await this.#discard(request);
    throw limitExceeded();
  }

  /** Throws 404. */
  async find(key: KeyRecord, id: string): Promise<DurableRequest> {
    const found = await this.findAny(key, id);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Undefined: this key may see no kept request of this id. */
  async findAny(key: KeyRecord, id: string): Promise<DurableRequest | undefined> {
    // Other text skips the query.
    if (!isRequestId(id)) return undefined;
    const request = await unlessAway(this.requests.find(key, id), unavailable);
    return request !== null && mayAsk(key, request) ? request : undefined;
  }

  /** Records the request to cancel it, and returns it as it is then. Throws 404. */
  async requestCancel(key: KeyRecord, id: string): Promise<DurableRequest> {
    await this.find(key, id);
    const request = await unlessAway(this.requests.requestCancel(key, id), unavailable);
    if (request === null) throw notFound();
    return request;
  }

  /** Deletes an ended request with its response and the files that it made. Its receipt stays. Throws 404, or 409 while it runs. */
  async delete(key: KeyRecord, id: string): Promise<void> {
    const { requestId, finishedAtMs } = await this.find(key, id);
    if (finishedAtMs === null) throw stillRunning();
    await unlessAway(this.requests.deleteEnded(key, requestId), unavailable);
    // May run again, also after a death in between: the sweep of files ends what this leaves.
    await unlessAway(this.objects.deleteResults(key, requestId), unavailable);
  }

  /** The bytes of a response, for a response of any length. Throws 404 if they are gone, and 503 if the store is away. */
  async open(request: DurableRequest): Promise<Readable> {
    if (request.shortResponse !== undefined) return Readable.from([request.shortResponse]);
    return this.#fetch(request, (store, key, whole) => store.stream(key, whole));
  }

  /** As `open`, all at once: a short response takes a third of the processor time. */
  async read(request: DurableRequest): Promise<Buffer> {
    if (request.shortResponse !== undefined) return request.shortResponse;
    return this.#fetch(request, (store, key, whole) => store.read(key, whole));
  }

  async #fetch<Bytes>(
    { requestId, response }: DurableRequest,
    fetch: (store: ObjectStore, key: string, whole: WholeObject | undefined) => Promise<Bytes>,
  ): Promise<Bytes> {
    if (this.store === undefined) throw unavailable();
    try {
      return await fetch(this.store, responseObject(requestId, response?.attempt), response ?? undefined);
    } catch (error) {
      if (isObjectMissing(error)) throw notFound();
      this.logger.warn({ err: error, requestId }, 'reading a response failed');
      throw unavailable();
    }
  }

  /** Announces the body first: it must not remain if this edge dies before it adds the request. */
  async #put(requestId: string, body: AdmittedRequest['body']): Promise<void> {
    if (this.store === undefined) throw unavailable();
    const key = bodyObject(requestId);
    const contents = Buffer.isBuffer(body) ? body : { stream: Readable.from(body.read()), bytes: body.bytes };
    try {
      await this.requests.announceBody(requestId);
      await this.store.put(key, contents);
    } catch (error) {
      this.logger.warn({ err: error, key }, 'storing a body failed');
      throw isStoreFull(error) ? storeFull() : unavailable();
    }
  }

  /** Best effort. False: no row was removed. One that remains is run without a hold, free for the customer. */
  async #discard(request: AdmittedRequest): Promise<boolean> {
    const { requestId } = request;
    const stored = shortBodyOf(request) === undefined ? this.store : undefined;
    const results = await Promise.allSettled([this.requests.delete(requestId), stored?.delete(bodyObject(requestId))]);
    for (const result of results) {
      if (result.status === 'rejected')
        this.logger.warn({ err: result.reason, requestId }, 'discarding a request failed');
    }
    const [row] = results;
    return row.status === 'fulfilled' && row.value;
  }

  /** PostgreSQL may still add the row of a request that was refused. Never rejects. */
  async #removeLate(request: AdmittedRequest): Promise<void> {
    const { requestId } = request;
    if (await this.#discard(request)) return;
    for (const untilMs = Date.now() + REMOVED_FOR_MS; Date.now() < untilMs; ) {
      await sleep(REMOVED_EVERY_MS, undefined, { ref: false });
      if (await this.requests.delete(requestId).catch(() => false)) return;
    }
  }
}

const shortBodyOf = ({ body }: AdmittedRequest): Buffer | undefined =>
  Buffer.isBuffer(body) && body.length <= MAX_SHORT_BYTES ? body : undefined;

const RETRY_AFTER_MS = 1_000;

const notFound = (): GatewayError =>
  new GatewayError('not_found', 'There is no such request, or its result is no longer kept.', { param: 'id' });

/** The reason names internal addresses, so it must not reach the client. */
const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'Results cannot be kept right now, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });

const stillRunning = (): GatewayError =>
  new GatewayError('request_in_progress', 'The request still runs. Cancel it first, or delete it when it has ended.', {
    param: 'id',
    retryAfterMs: RETRY_AFTER_MS,
  });

const limitExceeded = (): GatewayError =>
  new GatewayError(
    'storage_limit_exceeded',
    "Your account keeps as much as it may. Delete files, requests or stored responses, or send the request without 'Prefer'. It cost nothing.",
  );

const storeFull = (): GatewayError =>
  new GatewayError(
    'store_full',
    "The store of results is full. Send the request without 'Prefer', or try again later. It cost nothing.",
  );
