import type { AnswerEncoder, ErrorRecord, NeutralAnswer, StreamPart, Usage } from '@gateway/contracts';
import type { AnswerDecoder, AnswerSink } from '../protocol.js';
import type { EventTranslator } from '../sse/event-stream-reader.js';
import type { SseEvent } from '../sse/sse-event.js';
import { AnswerCollector } from './answer-collector.js';

type OpenDecoder = (sink: AnswerSink) => AnswerDecoder;
type Head = Parameters<AnswerSink['open']>[0];

const EMPTY = new Uint8Array(0);

abstract class DecodingTranslator {
  protected abstract readonly decoder: AnswerDecoder;

  get hasEnded(): boolean {
    return this.decoder.hasEnded;
  }

  get isFinal(): boolean {
    return this.decoder.isFinal;
  }

  get isBilledFailure(): boolean {
    return this.decoder.isBilledFailure === true;
  }

  get upstreamId(): string | undefined {
    return this.decoder.upstreamId;
  }

  usage(): Usage {
    return this.decoder.usage();
  }

  handle(event: SseEvent): void {
    this.decoder.handle(event);
  }
}

/** Joins the decoder of a protocol with the encoder of a dialect. */
export class EncodingTranslator extends DecodingTranslator implements EventTranslator, AnswerSink {
  protected readonly decoder: AnswerDecoder;
  #written = '';

  constructor(
    openDecoder: OpenDecoder,
    private readonly encoder: AnswerEncoder,
  ) {
    super();
    this.decoder = openDecoder(this);
  }

  open(head: Head): void {
    this.#written += this.encoder.open({ ...head, counts: this.decoder.counts() });
  }

  part(part: StreamPart): void {
    this.#written += this.encoder.part(part);
  }

  drain(): Uint8Array {
    const written = Buffer.from(this.#written);
    this.#written = '';
    return written;
  }

  close(): void {
    this.decoder.close();
    this.#written += this.encoder.close(this.decoder.counts());
  }

  /** Undefined if the dialect has no last words of its own. */
  get fail(): ((error: ErrorRecord) => Uint8Array) | undefined {
    const { encoder } = this;
    if (encoder.fail === undefined) return undefined;
    return (error) => Buffer.from(encoder.fail?.(error, this.decoder.counts()) ?? '');
  }
}

/** Collects a stream for a client that does not stream. */
export class CollectingTranslator extends DecodingTranslator implements EventTranslator {
  protected readonly decoder: AnswerDecoder;
  readonly #collector = new AnswerCollector();
  #body: Uint8Array = EMPTY;

  constructor(
    openDecoder: OpenDecoder,
    private readonly encode: (answer: NeutralAnswer) => Uint8Array,
  ) {
    super();
    this.decoder = openDecoder(this.#collector);
  }

  drain(): Uint8Array {
    const body = this.#body;
    this.#body = EMPTY;
    return body;
  }

  close(): void {
    this.decoder.close();
    this.#body = this.encode(this.#collector.answer(this.decoder.counts()));
  }
}
