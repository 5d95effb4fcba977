import { Readable } from 'node:stream';
import {
  BATCH_ENDPOINTS,
  BATCH_ID,
  type Batch,
  type BatchFormat,
  type BatchSegment,
  batchEndpointOf,
  GatewayError,
  type KeyRecord,
  newBatchId,
} from '@gateway/contracts';
import { mayUseEndpoint } from '@gateway/intake';
import { parseUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import type { BatchAccess, BatchPage, BatchReader, NewBatch } from '@gateway/postgres';
import { isObjectMissing, isStoreFull, type ObjectStore } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
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

/** The batches of customers. Every other id is a 404: of another account, mode or format, or of what the key may not use. */
@Injectable()
export class StoredBatches {
  constructor(
    @Inject(BATCH_READER) private readonly batches: BatchReader,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | undefined,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  newId(format: BatchFormat): string {
    return newBatchId(format === 'openai' ? 'batch' : 'msgbatch');
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

  /** Throws 429 if the account has too many batches that have not ended. */
  async add(key: KeyRecord, format: BatchFormat, requested: RequestedBatch): Promise<Batch> {
    const added = await this.#add(key, format, requested);
    if (added === null) throw tooMany();
    return added;
  }

  /** As `add`, with lines that are no file of the customer. Throws also 507 if the store is full, 503 if it is away. */
  async addLines(key: KeyRecord, format: BatchFormat, requested: RequestedBatch, lines: Buffer): Promise<Batch> {
    const { inputObject } = requested;
    await this.#putInput(inputObject, lines);
    const added = await this.#add(key, format, requested);
    if (added !== null) return added;
    // Best effort: a sweep deletes what this cannot.
    await this.store?.delete(inputObject).catch((error: unknown) => {
      this.logger.warn({ err: error, object: inputObject }, 'removing the lines of a refused batch failed');
    });
    throw tooMany();
  }

  /** Throws 404. */
  async find(key: KeyRecord, format: BatchFormat, id: string): Promise<Batch> {
    const found = BATCH_ID.test(id) ? await this.#orUnavailable(this.batches.find(accessOf(key, format), id)) : null;
    if (found === null) throw notFound();
    return found;
  }

  /** One more than the limit shows whether there is another page. Throws 400 for a cursor of another account. */
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

  /** Null: the account has too many batches that have not ended. */
  #add(key: KeyRecord, format: BatchFormat, requested: RequestedBatch): Promise<Batch | null> {
    const { maxCostUsd, outputSeconds = OUTPUT_SECONDS, ...batch } = requested;
    const budgetNanoUsd = maxCostUsd === undefined ? null : parseUsd(decimal(maxCostUsd));
    const { accountId, keyId, isTest } = key;
    return this.#orUnavailable(
      this.batches.add({
        ...batch,
        accountId,
        keyId,
        isTest,
        format,
        budgetNanoUsd,
        outputSeconds,
        windowMs: WINDOW_MS,
      }),
    );
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

/**
 * What a key may see: the batches that it could have created. The record of a batch does not have the models of its lines, so a key
 * that is limited to models sees its own only.
 */
const accessOf = ({ accountId, isTest, ...key }: KeyRecord, format: BatchFormat): BatchAccess => ({
  accountId,
  isTest,
  format,
  endpoints:
    key.endpoints === null
      ? undefined
      : BATCH_ENDPOINTS.filter((endpoint) => mayUseEndpoint(key, accessEndpointOf(endpoint))),
  keyId: key.models === null ? undefined : key.keyId,
});

/** A number of JSON as decimal text: small ones would have an exponent. */
const decimal = (usd: string | number): string => (typeof usd === 'string' ? usd : usd.toFixed(9));

const tooMany = (): GatewayError =>
  new GatewayError('rate_limit_exceeded', 'Your account has too many batches that have not ended.', {
    retryAfterMs: 60_000,
  });

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
