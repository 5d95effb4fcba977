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
  #headers: Readonly<Record<string, string>> | undefined;

  constructor(
    private readonly response: Dispatcher.ResponseData<Exchange>,
    private readonly exchange: Exchange,
  ) {
    this.status = response.statusCode;
    // Who reads the body is told of its error; an unread body that breaks must not end the process.
    response.body.on('error', () => undefined);
  }

  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= flatten(this.response.headers);
    return this.#headers;
  }

  get body(): AsyncIterable<Buffer> {
    return this.read();
  }

  // By events, not by reading in a loop: nearly every answer is one short piece, and its iterator costs more than it.
  bytes(limitBytes: number): Promise<Buffer> {
    const { body } = this.response;
    const pieces: Buffer[] = [];
    let totalBytes = 0;
    return new Promise((resolve, reject) => {
      body.on('data', (piece: Buffer) => {
        totalBytes += piece.length;
        pieces.push(piece);
        if (totalBytes <= limitBytes) return;
        reject(this.exchange.tooLarge(limitBytes));
        body.destroy();
      });
      body.once('end', () => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, totalBytes)));
      body.once('error', (error) => reject(this.exchange.explain(error)));
    });
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
