import type { ErrorRecord, Usage } from '@gateway/contracts';
import type { StreamReader } from '../protocol.js';
import { SseDecoder } from './sse-decoder.js';
import type { SseEvent } from './sse-event.js';

/** Protocol-specific translation of stream events. */
export interface EventTranslator {
  /** Throws a GatewayError for a reported error or a violation of the protocol. */
  handle(event: SseEvent): void;
  /** Returns the client's bytes since the last call. */
  drain(): Uint8Array;
  /** Writes the last events. Throws a GatewayError without the upstream's end marker. */
  close(): void;
  /** True once the content is complete. Token counts may still follow. */
  readonly hasEnded: boolean;
  /** True once the counts arrived as well. */
  readonly isFinal: boolean;
  /** True if the response failed and the upstream bills its usage nevertheless. */
  readonly isBilledFailure?: boolean;
  readonly upstreamId: string | undefined;
  usage(): Usage;
  /** Writes the last bytes of a broken stream. Undefined: the dialect's own error ends it. */
  readonly fail?: ((error: ErrorRecord) => Uint8Array) | undefined;
}

/**
 * Decodes events from bytes and feeds a translator. If an error follows other events of a chunk, the next call throws it:
 * the client receives the bytes before it.
 */
export class EventStreamReader implements StreamReader {
  readonly #decoder: SseDecoder;
  #failure: unknown;

  constructor(
    private readonly translator: EventTranslator,
    maxEventBytes?: number,
  ) {
    this.#decoder = new SseDecoder(maxEventBytes);
  }

  get isFinal(): boolean {
    return this.translator.isFinal;
  }

  get upstreamId(): string | undefined {
    return this.translator.upstreamId;
  }

  get isBilledFailure(): boolean {
    return this.translator.isBilledFailure === true;
  }

  usage(): Usage {
    return this.translator.usage();
  }

  get fail(): EventTranslator['fail'] {
    return this.translator.fail;
  }

  read(bytes: Uint8Array): Uint8Array {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      for (const event of this.#decoder.push(bytes)) this.translator.handle(event);
    } catch (failure) {
      this.#failure = failure;
    }
    const written = this.translator.drain();
    if (this.#failure !== undefined && written.length === 0) throw this.#failure;
    return written;
  }

  end(): Uint8Array {
    if (this.#failure !== undefined) throw this.#failure;
    const last = this.#decoder.flush();
    // A cut last event is an error only if the content is incomplete without it.
    if (last !== undefined && (!this.translator.hasEnded || isComplete(last))) this.translator.handle(last);
    this.translator.close();
    return this.translator.drain();
  }
}

function isComplete(event: SseEvent): boolean {
  const text = event.data?.toString('utf8') ?? '';
  if (text === '[DONE]') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
