import type { Usage } from '@gateway/contracts';
import type { StreamReader } from '../protocol.js';
import { SseDecoder } from './sse-decoder.js';
import type { SseEvent } from './sse-event.js';

/** What one protocol makes of the events of its stream. */
export interface EventTranslator {
  /** Throws a GatewayError for an error that the upstream reports and for what is not its protocol. */
  handle(event: SseEvent): void;
  /** The bytes for the client since the last call. */
  take(): Uint8Array;
  /** Writes the last events. Throws a GatewayError if the upstream's end of answer has not come. */
  close(): void;
  /** True once the answer itself is whole, though a count of tokens may still follow. */
  readonly hasEnded: boolean;
  readonly isFinal: boolean;
  readonly upstreamId: string | undefined;
  usage(): Usage;
}

/**
 * Feeds a translator from bytes. An error that comes behind events of the same chunk is kept for the next call, so
 * that the client gets what came before it, wherever the network cut the stream.
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

  usage(): Usage {
    return this.translator.usage();
  }

  read(bytes: Uint8Array): Uint8Array {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      for (const event of this.#decoder.push(bytes)) this.translator.handle(event);
    } catch (failure) {
      this.#failure = failure;
    }
    const written = this.translator.take();
    if (this.#failure !== undefined && written.length === 0) throw this.#failure;
    return written;
  }

  end(): Uint8Array {
    if (this.#failure !== undefined) throw this.#failure;
    const rest = this.#decoder.flush();
    // A last event that was cut matters only while the answer is not whole without it.
    if (rest !== undefined && (!this.translator.hasEnded || isWhole(rest))) this.translator.handle(rest);
    this.translator.close();
    return this.translator.take();
  }
}

function isWhole(event: SseEvent): boolean {
  const text = event.data?.toString('utf8') ?? '';
  if (text === '[DONE]') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
