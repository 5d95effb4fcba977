import { GatewayError, type Usage } from '@gateway/contracts';
import type { ThreadSession } from '@gateway/threads';
import type { ChunkReader } from '../../model-adapter.js';
import { asBuffer } from './as-buffer.js';
import type { ReaderReply, ReaderState } from './thread-calls.js';

const EMPTY = new Uint8Array();

/** The reader of a stream in a thread. `chunksOf` has the client's bytes; this meters them, as of the last chunk. */
export class ThreadedReader implements ChunkReader {
  #state: ReaderState;
  #last: Uint8Array = EMPTY;
  #error: GatewayError | undefined;

  constructor(
    private readonly session: ThreadSession,
    private readonly reader: number,
    state: ReaderState,
  ) {
    this.#state = state;
  }

  /** The identity: the bytes are already encoded. */
  read(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  end(): Uint8Array {
    if (this.#error !== undefined) throw this.#error;
    return this.#last;
  }

  usage(): Usage {
    return this.#state.usage;
  }

  get isFinal(): boolean {
    return this.#state.isFinal;
  }

  get isBilledFailure(): boolean {
    return this.#state.isBilledFailure;
  }

  get upstreamId(): string | undefined {
    return this.#state.upstreamId;
  }

  /** The client's bytes of the upstream's chunks. Rejects with the error of the stream. */
  chunksOf(chunks: AsyncIterator<Buffer>): AsyncIterator<Buffer, undefined> {
    return {
      next: async () => {
        const { done, value } = await chunks.next();
        if (done !== true) return { done: false, value: await this.#translated(value) };
        await this.#end();
        return { done: true, value: undefined };
      },
      return: async () => {
        await chunks.return?.();
        return { done: true, value: undefined };
      },
    };
  }

  async #translated(chunk: Buffer): Promise<Buffer> {
    // A copy: the next chunk may be in the same memory.
    const bytes = new Uint8Array(chunk);
    const reply = await this.session.call<ReaderReply>('read', { reader: this.reader, bytes }, [bytes.buffer]);
    this.#state = reply.state;
    if ('failed' in reply) throw GatewayError.fromRecord(reply.failed);
    return asBuffer(reply.bytes);
  }

  /** Its error is thrown by `end`, where callers expect it. */
  async #end(): Promise<void> {
    const reply = await this.session.call<ReaderReply>('end', { reader: this.reader });
    this.#state = reply.state;
    if ('failed' in reply) this.#error = GatewayError.fromRecord(reply.failed);
    else this.#last = reply.bytes;
  }
}
