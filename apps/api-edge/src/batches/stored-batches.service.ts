import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import {
  BATCH_ENDPOINTS,
  BATCH_ID,
  type Batch,
  type BatchFormat,
  type BatchSegment,
  batchEndpointOf,
  GatewayError,
  isGatewayError,
  type KeyRecord,
  namedBatchId,
  newBatchId,
  newClaimToken,
} from '@gateway/contracts';
import { mayUseEndpoint } from '@gateway/intake';
import { parseUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import type { BatchAccess, BatchPage, BatchReader, NewBatch } from '@gateway/postgres';
import { isObjectMissing, isStoreFull, type ObjectStore } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import { updateInSlices } from '../http/update-in-slices.js';
import { BATCH_READER, LOGGER, OBJECT_STORE } from '../tokens.js';

const WINDOW_MS = 86_400_000;
/** As long as the files of a customer. */
const OUTPUT_SECONDS = 2_592_000;

/** What a client asks for, in either format. */
export interface RequestedBatch
  extends Pick<NewBatch, 'id' | 'endpoint' | 'inputObject' | 'inputFileId' | 'metadata' | 'total'> {
  readonly maxCostUsd: string | number | undefined;
  readonly outputSeconds?: number | undefined;
}

/** `isReplay`: the batch is that of an earlier request with this idempotency key. */
export interface AddedBatch {
  readonly batch: Batch;
  readonly isReplay: boolean;
}

/** The batches of customers. Every other id is a 404: of another account, mode or format, or of what the key may not use. */
@Injectable()
export class StoredBatches {
  constructor(
    @Inject(BATCH_READER) private readonly batches: BatchReader,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | undefined,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The id of a new batch, or of the one that an idempotency key names: its row is the record of what was begun. */
  idOf({ accountId, isTest }: KeyRecord, format: BatchFormat, idempotencyKey: string | undefined): string {
    const prefix = format === 'openai' ? 'batch' : 'msgbatch';
    if (idempotencyKey === undefined) return newBatchId(prefix);
    return namedBatchId(prefix, JSON.stringify([accountId, isTest, format, idempotencyKey]));
  }

  /** Throws a 400 if this deployment has no batches, and 403 if the key may not use the endpoint. */
  checkAllowed(key: KeyRecord, path: string): Batch['endpoint'] {
    if (this.store === undefined) {
      throw new GatewayError('invalid_request', 'This deployment keeps no results, so it has no batches.');
    }
    const endpoint = batchEndpointOf(path);
    if (endpoint === undefined) throw new Error(`a batch has no endpoint ${path}`);
    if (mayUseEndpoint(key, endpoint)) return endpoint;
    throw new GatewayError('permission_denied', `This key may not be used on ${path}.`);
  }

  /**
   * Throws 429 if the account has too many batches that have not ended. A batch of this id is returned as it is now; 409 if
   * other work was asked for.
   */
  async add(key: KeyRecord, format: BatchFormat, requested: RequestedBatch): Promise<AddedBatch> {
    const added = await this.#add(key, format, requested);
    if (added !== null) return { batch: added, isReplay: false };
    const batch = await this.#earlier(key, format, requested);
    if (batch === undefined) throw tooMany();
    return { batch, isReplay: true };
  }

  /**
   * As `add`, with lines that are no file of the customer. `isNamed`: an idempotency key made its id. Throws also 507 if the
   * store is full, 503 if it is away.
   */
  async addLines(
    key: KeyRecord,
    format: BatchFormat,
    { isNamed, ...requested }: Omit<RequestedBatch, 'inputObject'> & { readonly isNamed: boolean },
    lines: Buffer,
  ): Promise<AddedBatch> {
    const inputObject = `batches/${requested.id}/${isNamed ? await contentName(lines) : 'input'}`;
    const asked = { ...requested, inputObject };
    const earlier = isNamed ? await this.#earlier(key, format, asked) : undefined;
    if (earlier !== undefined) return { batch: earlier, isReplay: true };
    await this.#putInput(inputObject, lines);
    const added = await this.add(key, format, asked).catch(async (error: unknown) => {
      if (isGatewayError(error) && error.code !== 'service_unavailable') await this.#removeInput(inputObject);
      throw error;
    });
    // Two requests with one key came at once, and the lines of the other one are the batch's.
    if (added.isReplay) await this.#removeInput(inputObject);
    return added;
  }

  /** Throws 404. */
  async find(key: KeyRecord, format: BatchFormat, id: string): Promise<Batch> {
    const found = BATCH_ID.test(id) ? await this.#orUnavailable(this.batches.find(accessOf(key, format), id)) : null;
    if (found === null) throw notFound();
    return found;
  }

  /** One more than the limit shows whether there is another page. Throws 400 for a cursor that it may not see. */
  async list(key: KeyRecord, format: BatchFormat, page: BatchPage): Promise<readonly Batch[]> {
    const access = accessOf(key, format);
    const found = await this.#orUnavailable(this.batches.list(access, { ...page, limit: page.limit + 1 }));
    if (found.length > 0) return found;
    for (const name of ['before', 'after'] as const) {
      const id = page[name];
      if (id !== undefined && !(await this.#orUnavailable(this.batches.isCursor(access, id))))
        throw unknownCursor(format === 'openai' ? name : `${name}_id`);
    }
    return found;
  }

  /** Lines at the vendors complete. A batch that has ended stays as it is. Throws 404. */
  async cancel(key: KeyRecord, format: BatchFormat, id: string): Promise<Batch> {
    await this.find(key, format, id);
    const batch = await this.#orUnavailable(this.batches.cancel(accessOf(key, format), id));
    if (batch === null) throw notFound();
    return batch;
  }

  /** Throws 404, and 400 for a batch that has not ended. */
  async delete(key: KeyRecord, format: BatchFormat, id: string): Promise<void> {
    await this.find(key, format, id);
    if (await this.#orUnavailable(this.batches.delete(accessOf(key, format), id))) return;
    throw new GatewayError('invalid_request', 'The batch has not ended. Cancel it first.', { param: 'id' });
  }

  /** The results of an ended batch, streamed object by object. Throws 404 once they are removed, 503 if the store is away. */
  async openResults({ id, resultsRemovedAtMs }: Batch): Promise<{ readonly bytes: number; readonly stream: Readable }> {
    const { store } = this;
    if (resultsRemovedAtMs !== null || store === undefined) throw notFound();
    const segments = await this.#orUnavailable(this.batches.segments(id));
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const [first, ...others] = segments;
    const head = first && (await this.#open(store, first));
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      if (head !== undefined) yield* head;
      for (const segment of others) yield* await store.stream(segment.object, segment);
    };
    const stream = Readable.from(chunks(), { objectMode: false });
    // A client that left before it read anything never begins the generator, which would close it.
    if (head !== undefined) stream.once('close', () => head.destroy());
    return { bytes, stream };
  }

  /** The batch that has this id already. Throws 409 if it is other work, was deleted, or is one that the key may not see. */
  async #earlier(key: KeyRecord, format: BatchFormat, requested: RequestedBatch): Promise<Batch | undefined> {
    const earlier = await this.#orUnavailable(this.batches.find(accessOf(key, format), requested.id));
    if (earlier !== null && isSameWork(earlier, requested)) return earlier;
    const { accountId, isTest } = key;
    const isTaken = this.batches.isCursor({ accountId, isTest, format }, requested.id);
    if (earlier !== null || (await this.#orUnavailable(isTaken))) throw conflict();
    return undefined;
  }

  /** Best effort: a sweep deletes what this cannot. */
  async #removeInput(object: string): Promise<void> {
    await this.store?.delete(object).catch((error: unknown) => {
      this.logger.warn({ err: error, object }, 'removing the lines of a refused batch failed');
    });
  }

  /** Null: the account has too many batches that have not ended, or one of this id. */
  #add(key: KeyRecord, format: BatchFormat, requested: RequestedBatch): Promise<Batch | null> {
    const { maxCostUsd: _, outputSeconds: __, ...batch } = requested;
    const { accountId, keyId, isTest } = key;
    const owner = { accountId, keyId, isTest, format };
    return this.#orUnavailable(this.batches.add({ ...batch, ...owner, ...termsOf(requested), windowMs: WINDOW_MS }));
  }

  /** Announces the lines first: they must not remain if this edge dies before it adds the batch. */
  async #putInput(object: string, lines: Buffer): Promise<void> {
    if (this.store === undefined) throw unavailable();
    try {
      await this.batches.announce(object);
      await this.store.put(object, lines);
    } catch (error) {
      this.logger.warn({ err: error, object }, 'storing a batch failed');
      throw isStoreFull(error) ? new GatewayError('store_full', 'The store is full. Try again later.') : unavailable();
    }
  }

  /** Before the response begins, so that a failure has its status. */
  #open(store: ObjectStore, segment: BatchSegment): Promise<Readable> {
    return this.#orUnavailable(
      store.stream(segment.object, segment).catch((error: unknown) => {
        if (isObjectMissing(error)) return null;
        throw error;
      }),
    ).then((stream) => stream ?? throwNotFound());
  }

  /** The reason names internal addresses, so it must not reach the client. */
  async #orUnavailable<Found>(query: Promise<Found>): Promise<Found> {
    try {
      return await query;
    } catch (error) {
      this.logger.warn({ err: error }, 'batches unavailable');
      throw unavailable();
    }
  }
}

/** What a key may see: the batches that it could have created. */
const accessOf = ({ accountId, isTest, ...key }: KeyRecord, format: BatchFormat): BatchAccess => ({
  accountId,
  isTest,
  format,
  endpoints: key.endpoints === null ? undefined : BATCH_ENDPOINTS.filter((endpoint) => mayUseEndpoint(key, endpoint)),
  models: key.models ?? undefined,
});

const termsOf = ({ maxCostUsd, outputSeconds = OUTPUT_SECONDS }: RequestedBatch) => ({
  budgetNanoUsd: maxCostUsd === undefined ? null : parseUsd(decimal(maxCostUsd)),
  outputSeconds,
});

/** No two requests write one object, so that the one which adds no batch may delete its own. */
async function contentName(lines: Buffer): Promise<string> {
  const hash = createHash('sha256');
  await updateInSlices(hash, lines);
  return `${newClaimToken()}-${hash.digest('hex')}`;
}

/** Of lines it is their SHA-256, of a file its id. */
const contentsOf = (inputObject: string): string => inputObject.slice(inputObject.lastIndexOf('-') + 1);

function isSameWork(earlier: Batch, requested: RequestedBatch): boolean {
  const workOf = ({ endpoint, inputObject, metadata }: Pick<Batch, 'endpoint' | 'inputObject' | 'metadata'>) => ({
    endpoint,
    metadata,
    contents: contentsOf(inputObject),
  });
  const { budgetNanoUsd, outputSeconds } = earlier;
  return isDeepStrictEqual(
    { ...workOf(earlier), budgetNanoUsd, outputSeconds },
    { ...workOf(requested), ...termsOf(requested) },
  );
}

/** A number of JSON as decimal text: small ones would have an exponent. */
const decimal = (usd: string | number): string => (typeof usd === 'string' ? usd : usd.toFixed(9));

const tooMany = (): GatewayError =>
  new GatewayError('rate_limit_exceeded', 'Your account has too many batches that have not ended.', {
    retryAfterMs: 60_000,
  });

const conflict = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    "'Idempotency-Key': expected a new key, because a different batch, or a deleted one, has used this one.",
    { param: 'Idempotency-Key' },
  );

const unknownCursor = (name: string): GatewayError =>
  new GatewayError('invalid_request', `'${name}': there is no such batch.`, { param: name });

const notFound = (): GatewayError =>
  new GatewayError('not_found', 'There is no such batch, or its results are no longer kept.', { param: 'id' });

function throwNotFound(): never {
  throw notFound();
}

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'Batches are not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });
