import type { RequestId } from '@gateway/contracts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.js';

export interface AnswerPiece {
  readonly requestId: RequestId;
  /** From 0, without a gap. */
  readonly number: number;
  readonly bytes: Buffer;
  readonly keptUntil: Date;
}

/** Answers that are too large for Redis, in pieces, by the request that they answer. Everything rejects if Postgres cannot. */
export interface ResponseStore {
  putChunk(piece: AnswerPiece): Promise<void>;
  /** Of all pieces of an answer that are here. */
  storedBytes(requestId: RequestId): Promise<number>;
  /** Null: there is no such piece. */
  readChunk(requestId: RequestId, number: number): Promise<Buffer | null>;
  delete(requestId: RequestId): Promise<void>;
  close(): Promise<void>;
}

/** With connections of its own, so that a megabyte on its way keeps no small question waiting. */
export const openResponseStore = (options: DatabaseOptions): ResponseStore => shelfIn(openDatabase(options));

export function shelfIn({ prisma, close }: Database): ResponseStore {
  return {
    async putChunk({ bytes, ...piece }) {
      await prisma.keptAnswerPiece.create({
        data: { ...piece, bytes: new Uint8Array(bytes) },
        select: { number: true },
      });
    },
    async storedBytes(requestId) {
      const [row] = await prisma.$queryRaw<{ bytes: bigint }[]>`
        SELECT coalesce(sum(length(bytes)), 0)::bigint AS bytes FROM kept_answer_piece WHERE request_id = ${requestId}`;
      return Number(row?.bytes ?? 0n);
    },
    async readChunk(requestId, number) {
      const where = { requestId_number: { requestId, number } };
      const row = await prisma.keptAnswerPiece.findUnique({ where, select: { bytes: true } });
      return row === null ? null : Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength);
    },
    async delete(requestId) {
      await prisma.keptAnswerPiece.deleteMany({ where: { requestId } });
    },
    close,
  };
}
