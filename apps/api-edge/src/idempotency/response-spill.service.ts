import { Readable } from 'node:stream';
import type { RequestId } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { ResponseStore } from '@gateway/postgres';
import { SPILL_RETENTION_MS, type SpilledBody } from '@gateway/redis';
import { ByteBudget } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, RESPONSE_STORE } from '../tokens.js';
import { SpilledResponse } from './spilled-response.js';

/** Memory limit of this process for all responses that are not in Postgres yet. */
const MAX_PENDING_BYTES = 128 * 1024 * 1024;

/** Writes responses that are too large for Redis to Postgres in chunks, and reads them back. */
@Injectable()
export class ResponseSpill {
  readonly #memory = new ByteBudget(MAX_PENDING_BYTES);

  constructor(
    @Inject(RESPONSE_STORE) private readonly store: ResponseStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  open(requestId: RequestId): SpilledResponse {
    const expiresAt = new Date(Date.now() + SPILL_RETENTION_MS);
    return new SpilledResponse({
      putChunk: (number, bytes) => this.store.putChunk({ requestId, number, bytes, expiresAt }),
      delete: () => this.delete(requestId),
      reserve: this.#memory.reserve,
      release: this.#memory.release,
      onAbandoned: (reason) => this.logger.warn({ err: reason, requestId }, 'response spill abandoned'),
    });
  }

  /** Stores a body at once. Undefined if the spill was abandoned. */
  storeBody(requestId: RequestId, body: Buffer): Promise<SpilledBody | undefined> {
    const response = this.open(requestId);
    response.write(body);
    return response.end();
  }

  /** Null if any of its bytes are missing. Rejects if Postgres is away. */
  async read(requestId: RequestId, { spilledBytes }: SpilledBody): Promise<Readable | null> {
    if ((await this.store.storedBytes(requestId)) !== spilledBytes) return null;
    return Readable.from(this.#chunks(requestId, spilledBytes), { objectMode: false });
  }

  /** Never rejects: chunks that remain are deleted when they expire. */
  async delete(requestId: RequestId): Promise<void> {
    await this.store.delete(requestId).catch((error: unknown) => {
      this.logger.warn({ err: error, requestId }, 'deleting a spilled response failed, it will expire');
    });
  }

  async *#chunks(requestId: RequestId, totalBytes: number): AsyncGenerator<Buffer> {
    for (let number = 0, sent = 0; sent < totalBytes; number += 1) {
      const chunk = await this.store.readChunk(requestId, number);
      if (chunk === null) throw new Error(`chunk ${number} of the response of ${requestId} is missing`);
      sent += chunk.length;
      yield chunk;
    }
  }
}
