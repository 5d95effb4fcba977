import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.js';
import type { ResponseBody } from './response-body.js';

type IncomingHeaders = Dispatcher.ResponseData['headers'];

const DUMP_LIMIT_BYTES = 128 * 1024;
const DUMP_TIMEOUT_MS = 1_000;

/** Where a body becomes long, and what must happen before the rest of it is read. */
interface LongBody {
  readonly fromBytes: number;
  /** `expectedBytes`: the length that the server has named. */
  begin(expectedBytes: number | undefined): Promise<void>;
}

/** A response whose head has arrived. Read its body with exactly one of `body`, `bytes` and `dump`. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The chunks as they arrive, with backpressure. Throws a HttpFailure. Leaving the loop early closes the socket. A body with
   * neither a length nor chunked encoding looks complete when it is cut: only its protocol can detect that.
   */
  readonly body: AsyncIterable<Buffer>;
  /**
   * The complete body. Rejects with a HttpFailure, `too_large` above `limitBytes`. Beyond `long.fromBytes` it reads on only
   * once `long.begin` has resolved, and rejects if that does.
   */
  bytes(limitBytes: number, long?: LongBody): Promise<Buffer>;
  /** Discards the body. It reads a short remainder, so that the connection can be reused. Never rejects. */
  dump(): Promise<void>;
}

export class ReceivedResponse implements HttpResponse {
  readonly #incoming: IncomingHeaders;
  #headers: Readonly<Record<string, string>> | undefined;

  constructor(
    readonly status: number,
    incoming: IncomingHeaders,
    readonly body: ResponseBody,
    private readonly exchange: Exchange,
  ) {
    this.#incoming = incoming;
  }

  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= flatten(this.#incoming);
    return this.#headers;
  }

  async bytes(limitBytes: number, long?: LongBody): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let totalBytes = 0;
    let isLong = false;
    for await (const chunk of this.body) {
      totalBytes += chunk.length;
      if (totalBytes > limitBytes) throw this.exchange.tooLarge(limitBytes);
      chunks.push(chunk);
      if (long === undefined || isLong || totalBytes <= long.fromBytes) continue;
      isLong = true;
      await long.begin(lengthOf(this.headers));
    }
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, totalBytes);
  }

  async dump(): Promise<void> {
    const timer = setTimeout(() => this.exchange.cut(), DUMP_TIMEOUT_MS);
    let remainingBytes = DUMP_LIMIT_BYTES;
    try {
      for await (const chunk of this.body) {
        remainingBytes -= chunk.length;
        if (remainingBytes < 0) break;
      }
    } catch {
      // The connection is gone: nothing is left to discard.
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A compressed body is longer than its length says. */
function lengthOf(headers: HttpResponse['headers']): number | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = headers;
  return length === undefined || encoding !== undefined ? undefined : Number(length);
}

function flatten(headers: IncomingHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
