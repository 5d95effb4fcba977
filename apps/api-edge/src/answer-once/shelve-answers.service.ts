import { Readable } from 'node:stream';
import type { RequestId } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { ResponseStore } from '@gateway/postgres';
import { IDEMPOTENCY_RETENTION_MS, type SpilledBody } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../observability-doors.js';
import { ANSWER_SHELF } from '../postgres-doors.js';
import { ShelvedAnswer } from './shelved-answer.js';

/** Of all answers together, bytes that this process holds for a shelf that is slower than they come. */
const WAITING_BYTES_AT_MOST = 128 * 1024 * 1024;
/** Later than Redis forgets where an answer is: none is removed while it is read. */
const KEPT_LONGER_MS = 60 * 60 * 1_000;

/** Answers that are too large for Redis: put on the shelf while they flow, and read from there piece by piece. */
@Injectable()
export class ShelveAnswers {
  #waitingBytes = 0;

  constructor(
    @Inject(ANSWER_SHELF) private readonly shelf: ResponseStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  open(requestId: RequestId): ShelvedAnswer {
    const keptUntil = new Date(Date.now() + IDEMPOTENCY_RETENTION_MS + KEPT_LONGER_MS);
    return new ShelvedAnswer({
      put: (number, bytes) => this.shelf.putChunk({ requestId, number, bytes, keptUntil }),
      drop: () => this.drop(requestId),
      reserve: (bytes) => this.#reserve(bytes),
      release: (bytes) => {
        this.#waitingBytes -= bytes;
      },
      onGivenUp: (reason) => this.logger.warn({ err: reason, requestId }, 'an answer is not put on the shelf'),
    });
  }

  /** The whole of an answer; undefined if it is not there and never will be. */
  put(requestId: RequestId, body: Buffer): Promise<SpilledBody | undefined> {
    const answer = this.open(requestId);
    answer.write(body);
    return answer.end();
  }

  /** Null: not all of it is there. Rejects if Postgres cannot say. */
  async read(requestId: RequestId, { bytesApart }: SpilledBody): Promise<Readable | null> {
    if ((await this.shelf.storedBytes(requestId)) !== bytesApart) return null;
    return Readable.from(this.#pieces(requestId, bytesApart), { objectMode: false });
  }

  /** Never rejects: what stays is removed when its time is over. */
  async drop(requestId: RequestId): Promise<void> {
    await this.shelf.delete(requestId).catch((error: unknown) => {
      this.logger.warn({ err: error, requestId }, 'an answer stays on the shelf until its time is over');
    });
  }

  async *#pieces(requestId: RequestId, bytes: number): AsyncGenerator<Buffer> {
    for (let number = 0, given = 0; given < bytes; number += 1) {
      const piece = await this.shelf.readChunk(requestId, number);
      if (piece === null) throw new Error(`piece ${number} of the answer of ${requestId} is gone`);
      given += piece.length;
      yield piece;
    }
  }

  #reserve(bytes: number): boolean {
    if (this.#waitingBytes + bytes > WAITING_BYTES_AT_MOST) return false;
    this.#waitingBytes += bytes;
    return true;
  }
}
