import { type JsonBody, ownBytes, type ReadJson, type UnreadJson } from '@gateway/intake';
import type { ThreadPool } from '@gateway/threads';
import { Inject, Injectable } from '@nestjs/common';
import { THREADS } from '../tokens.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads and writes long JSON outside the event loop. A body's memory moves to the thread and back, without a copy. */
@Injectable()
export class LongJson {
  constructor(@Inject(THREADS) private readonly threads: Pick<ThreadPool, 'run'>) {}

  /** Parses and validates. `body` is empty afterwards. Throws the body's error, and 503 if the thread failed. */
  read(body: Buffer, request: Omit<UnreadJson, 'body'>): Promise<ReadJson> {
    const bytes = ownBytes(body);
    return this.threads.run<ReadJson>('readJson', { ...request, body: bytes }, [bytes.buffer]);
  }

  /** Parses. `body` is empty afterwards. */
  async parse(body: Buffer): Promise<JsonBody> {
    const own = ownBytes(body);
    const { fields, bytes } = await this.threads.run<{ fields: Record<string, unknown>; bytes: Bytes }>(
      'parseJson',
      own,
      [own.buffer],
    );
    return { fields, bytes: asBuffer(bytes) };
  }

  async encode(value: object): Promise<Buffer> {
    return asBuffer(await this.threads.run<Bytes>('encodeJson', value));
  }
}

export const asBuffer = ({ buffer, byteOffset, byteLength }: Bytes): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
