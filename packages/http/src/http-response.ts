import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.js';
import type { AnswerBody } from './response-body.js';

type IncomingHeaders = Dispatcher.ResponseData['headers'];

const DUMP_LIMIT_BYTES = 128 * 1024;
const DUMP_TIMEOUT_MS = 1_000;

/** An upstream's answer whose head has arrived. Read it with exactly one of `body`, `bytes` and `dump`. */
export interface HttpResponse {
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

export class ReceivedAnswer implements HttpResponse {
  readonly #given: IncomingHeaders;
  #headers: Readonly<Record<string, string>> | undefined;

  constructor(
    readonly status: number,
    given: IncomingHeaders,
    readonly body: AnswerBody,
    private readonly exchange: Exchange,
  ) {
    this.#given = given;
  }

  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= flatten(this.#given);
    return this.#headers;
  }

  async bytes(limitBytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let totalBytes = 0;
    for await (const piece of this.body) {
      totalBytes += piece.length;
      if (totalBytes > limitBytes) throw this.exchange.tooLarge(limitBytes);
      pieces.push(piece);
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, totalBytes);
  }

  async dump(): Promise<void> {
    const giveUp = setTimeout(() => this.exchange.cut(), DUMP_TIMEOUT_MS);
    let leftBytes = DUMP_LIMIT_BYTES;
    try {
      for await (const piece of this.body) {
        leftBytes -= piece.length;
        if (leftBytes < 0) break;
      }
    } catch {
      // Its connection is gone: there is nothing to let go of.
    } finally {
      clearTimeout(giveUp);
    }
  }
}

function flatten(headers: IncomingHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
