import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.js';

const DUMP_LIMIT_BYTES = 128 * 1024;
const DUMP_TIMEOUT_MS = 1_000;

/** An upstream's answer whose head has arrived. Read it with exactly one of `body`, `bytes` and `dump`. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The bytes as they arrive; the next read is what lets more come. Throws a HttpFailure. Leaving the loop early closes the socket.
   * A body without length and without chunks that is cut looks complete: only its protocol can tell.
   */
  readonly body: AsyncIterable<Buffer>;
  /** The whole body. Throws a HttpFailure, `too_large` if it has more than `limitBytes`. */
  bytes(limitBytes: number): Promise<Buffer>;
  /** Lets go of a body that nobody needs; a short rest is read, so that its connection can serve again. Never rejects. */
  dump(): Promise<void>;
}

export class ReceivedAnswer implements HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly response: Dispatcher.ResponseData<Exchange>,
    private readonly exchange: Exchange,
  ) {
    this.status = response.statusCode;
    this.headers = flatten(response.headers);
    // Who reads the body is told of its error; an unread body that breaks must not end the process.
    response.body.on('error', () => undefined);
  }

  get body(): AsyncIterable<Buffer> {
    return this.read();
  }

  async bytes(limitBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let totalBytes = 0;
    for await (const chunk of this.read()) {
      totalBytes += chunk.length;
      if (totalBytes > limitBytes) throw this.exchange.tooLarge(limitBytes);
      chunks.push(chunk);
    }
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, totalBytes);
  }

  async dump(): Promise<void> {
    const signal = AbortSignal.timeout(DUMP_TIMEOUT_MS);
    const giveUp = () => this.response.body.destroy();
    await this.response.body.dump({ limit: DUMP_LIMIT_BYTES, signal }).catch(giveUp);
  }

  private async *read(): AsyncGenerator<Buffer, void, void> {
    try {
      yield* this.response.body;
    } catch (error) {
      throw this.exchange.explain(error);
    }
  }
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
