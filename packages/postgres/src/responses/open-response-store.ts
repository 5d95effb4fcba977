import type { RequestId } from '@gateway/contracts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.js';

export interface ResponseChunk {
  readonly requestId: RequestId;
  /** From 0, without a gap. */
  readonly number: number;
  readonly bytes: Buffer;
  readonly expiresAt: Date;
}

/** Responses that are too large for Redis, in chunks, by request id. Every call rejects if PostgreSQL is unavailable. */
export interface ResponseStore {
  putChunk(chunk: ResponseChunk): Promise<void>;
  /** The sum of the stored chunks. */
  storedBytes(requestId: RequestId): Promise<number>;
  /** Null: there is no such chunk. */
  readChunk(requestId: RequestId, number: number): Promise<Buffer | null>;
  delete(requestId: RequestId): Promise<void>;
  close(): Promise<void>;
}

/** Opens connections of its own, so that a chunk of a megabyte does not delay short statements. */
export const openResponseStore = (options: DatabaseOptions): ResponseStore => responseStoreIn(openDatabase(options));

export function responseStoreIn({ prisma, close }: Database): ResponseStore {
  return {
    async putChunk({ requestId, number, bytes, expiresAt }) {
      await prisma.$executeRaw`
        INSERT INTO kept_answer_piece (request_id, number, bytes, kept_until)
        VALUES (${requestId}, ${number}::int, ${bytes}, ${expiresAt})`;
    },
    async storedBytes(requestId) {
      const [row] = await prisma.$queryRaw<{ bytes: bigint }[]>`
        SELECT coalesce(sum(length(bytes)), 0)::bigint AS bytes FROM kept_answer_piece WHERE request_id = ${requestId}`;
      return Number(row?.bytes ?? 0n);
    },
    async readChunk(requestId, number) {
      const [row] = await prisma.$queryRaw<{ bytes: Buffer }[]>`
        SELECT bytes FROM kept_answer_piece WHERE request_id = ${requestId} AND number = ${number}::int`;
      return row?.bytes ?? null;
    },
    async delete(requestId) {
      await prisma.$executeRaw`DELETE FROM kept_answer_piece WHERE request_id = ${requestId}`;
    },
    close,
  };
}

/** Removes up to `limit` expired chunks, the oldest first. Returns their number. */
export const removeExpiredResponses = ({ prisma }: Database, limit: number): Promise<number> => prisma.$executeRaw`
  DELETE FROM kept_answer_piece WHERE (request_id, number) IN (
    SELECT request_id, number FROM kept_answer_piece
    WHERE kept_until < now() ORDER BY kept_until LIMIT ${limit}::int)`;
