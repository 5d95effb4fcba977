import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  FILE_ID,
  type FileListQuery,
  type FilePurpose,
  GatewayError,
  type KeyRecord,
  MAX_BYTES_WITHOUT_CREDIT,
  newFileId,
  objectOfFile,
  type StorageLimits,
  type StoredObject,
} from '@gateway/contracts';
import { type Logger, withTimeout } from '@gateway/observability';
import type { ObjectAccess, ResultSource, StoredObjects } from '@gateway/postgres';
import { type ByteRange, isObjectMissing, isStoreFull, type ObjectStore, putAnnounced } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import type { FundsCheck } from '../edge-request.js';
import { EDGE_CONFIG, type EdgeConfig, FUNDS_CHECK, LOGGER, OBJECT_STORE, STORED_OBJECTS } from '../tokens.js';
import { storedPurposeOf } from './file-record.js';

/** A dead machine refuses no connection, so the driver alone would wait longer. Writes do: they may be committed. */
const READ_TIMEOUT_MS = 3_000;
/** What an account without credit may keep: anybody may register one. */
const LIMITS_WITHOUT_CREDIT: StorageLimits = { bytes: MAX_BYTES_WITHOUT_CREDIT, objects: 100 };

/** An uploaded file on this machine. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly filename: string;
  readonly contentType: string;
  readonly purpose: FilePurpose;
  /** Null: until it is deleted. */
  readonly expiresInMs: number | null;
}

/**
 * The files of customers. A key that is limited to models or endpoints sees uploads, and of results those of keys that may use no
 * more. Every id of another account, of the other mode, or of another result is a 404.
 */
@Injectable()
export class StoredFiles {
  constructor(
    @Inject(STORED_OBJECTS) private readonly objects: StoredObjects,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | undefined,
    @Inject(EDGE_CONFIG) private readonly config: Pick<EdgeConfig, 'storageLimits'>,
    @Inject(FUNDS_CHECK) private readonly funds: FundsCheck,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws a 400 if this deployment keeps no files. */
  checkEnabled(): void {
    if (this.store !== undefined) return;
    throw new GatewayError('invalid_request', 'This deployment keeps no files.');
  }

  /**
   * Counts the file, writes it and shows it, in this order: a process that dies leaves a row, which a sweep removes with
   * its bytes. Throws 413 beyond the account's limit, 507 if the store is full, 503 if it or PostgreSQL is away.
   */
  async add({ accountId, keyId, isTest }: KeyRecord, { path, ...file }: LocalFile): Promise<StoredObject> {
    const id = newFileId();
    const limits = await this.#limitsOf(accountId);
    const object = { ...file, id, accountId, keyId, isTest };
    const isReserved = await this.objects.reserve(object, limits).catch((error) => this.#unavailable(error));
    if (!isReserved) throw limitExceeded(limits);
    try {
      const contents = { stream: createReadStream(path), bytes: file.bytes };
      return await putAnnounced(this.#store(), objectOfFile(id), contents, () => this.objects.complete(id));
    } catch (error) {
      // Best effort: the sweep releases what this cannot.
      await this.objects.release(id).catch((err: unknown) => this.logger.warn({ err, id }, 'file not released'));
      if (isStoreFull(error)) throw storeFull();
      return this.#unavailable(error);
    }
  }

  /** Throws 404. */
  async find(key: KeyRecord, id: string): Promise<StoredObject> {
    const found = FILE_ID.test(id) ? await this.#select(this.objects.findAs(key, id)) : null;
    if (found === null) throw notFound();
    return found;
  }

  /** A file, or where its vendor still has it. `reader` is null for the bearer of a verified address. Throws 404. */
  async locate(reader: ObjectAccess | null, id: string): Promise<StoredObject | ResultSource> {
    const found = FILE_ID.test(id)
      ? ((await this.#select(this.objects.findAs(reader, id))) ??
        (await this.#select(this.objects.findSource(reader, id))))
      : null;
    if (found === null) throw notFound();
    return found;
  }

  /** One more file than the limit shows whether there is another page. Throws 400 for an `after` of another account. */
  async list(key: KeyRecord, { limit, purpose, ...query }: FileListQuery): Promise<readonly StoredObject[]> {
    const page = { ...query, limit: limit + 1, purpose: storedPurposeOf(purpose) };
    const found = await this.#select(this.objects.list(key, page));
    if (found !== null) return found;
    throw new GatewayError('invalid_request', "'after': there is no such file.", { param: 'after' });
  }

  /** Throws 404. The bytes go at once if the store is there, else with a sweep. */
  async delete(key: KeyRecord, id: string): Promise<void> {
    if (!FILE_ID.test(id)) throw notFound();
    const isDeleted = await this.objects.delete(key, id).catch((error) => this.#unavailable(error));
    if (!isDeleted) throw notFound();
    try {
      await this.store?.delete(objectOfFile(id));
      await this.objects.remove([id]);
    } catch (error) {
      this.logger.warn({ err: error, id }, 'bytes of a deleted file remain');
    }
  }

  /** The bytes of a file, or of a part of it. Throws 404 if they are gone, 503 if the store is away. */
  async open({ id, bytes }: StoredObject, range?: ByteRange): Promise<Readable> {
    try {
      return await this.#store().stream(objectOfFile(id), range ?? { bytes });
    } catch (error) {
      if (isObjectMissing(error)) throw notFound();
      return this.#unavailable(error);
    }
  }

  /** The bytes for this process itself: throws 404, or 503 also after the first of them. */
  async *read(object: StoredObject): AsyncGenerator<Buffer> {
    const stream = await this.open(object);
    try {
      yield* stream;
    } catch (error) {
      this.#unavailable(error);
    }
  }

  /** A test key spends nothing, so the account's credit decides for it too. */
  async #limitsOf(accountId: KeyRecord['accountId']): Promise<StorageLimits> {
    const { storageLimits } = this.config;
    if (await this.funds.maySpend({ accountId, isTest: false })) return storageLimits;
    return {
      bytes: Math.min(storageLimits.bytes, LIMITS_WITHOUT_CREDIT.bytes),
      objects: Math.min(storageLimits.objects, LIMITS_WITHOUT_CREDIT.objects),
    };
  }

  #store(): ObjectStore {
    if (this.store === undefined) throw new Error('this deployment has no store');
    return this.store;
  }

  #select<Found>(query: Promise<Found>): Promise<Found> {
    return withTimeout(query, READ_TIMEOUT_MS, noReply).catch((error) => this.#unavailable(error));
  }

  /** The reason names internal addresses, so it must not reach the client. */
  #unavailable(error: unknown): never {
    this.logger.warn({ err: error }, 'files unavailable');
    throw new GatewayError('service_unavailable', 'Files are not available right now, try again shortly.', {
      retryAfterMs: 1_000,
    });
  }
}

function noReply(): never {
  throw new Error('PostgreSQL did not respond');
}

const notFound = (): GatewayError => new GatewayError('not_found', 'There is no such file.', { param: 'id' });

const storeFull = (): GatewayError =>
  new GatewayError('store_full', 'The store of files is full. Try again later. It cost nothing.');

const limitExceeded = ({ bytes, objects }: StorageLimits): GatewayError =>
  new GatewayError(
    'storage_limit_exceeded',
    `Your account may keep ${bytes} bytes in ${objects} files, and this file exceeds that. Delete files first, or add credit if the account has none.`,
    { param: 'file' },
  );
