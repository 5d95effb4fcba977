import type { GatewayError, Usage } from '@gateway/contracts';
import { isJsonObject, type JsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import type { EventTranslator } from '../sse/event-stream-reader.js';
import type { SseEvent } from '../sse/sse-event.js';

/** One event of a stream of images longer than any chat's: the largest picture as base64, several times over. */
export const MAX_IMAGE_EVENT_BYTES = 64 * 1024 * 1024;

const DONE = '[DONE]';
const NOTHING = new Uint8Array(0);

/** The JSON of one event. */
export type ImageEvent = JsonObject & { readonly type?: unknown };

/** What one vendor's events say. */
export interface ImageEventRules {
  /** Reads an event and gives what the client gets in its place; undefined: the event's own bytes. */
  take(event: ImageEvent): ImageEvent | undefined;
  errorOf(event: ImageEvent): GatewayError;
  /** True once the stream may end. */
  readonly hasEnded: boolean;
  readonly isFinal: boolean;
  usage(): Usage;
}

/** Streams of images: each event is a whole picture or tells of one, so they go on as they came. */
export class ImageEventTranslator implements EventTranslator {
  #written: Uint8Array[] = [];
  readonly upstreamId = undefined;

  constructor(private readonly rules: ImageEventRules) {}

  get hasEnded(): boolean {
    return this.rules.hasEnded;
  }

  get isFinal(): boolean {
    return this.rules.isFinal;
  }

  handle({ raw, name, data }: SseEvent): void {
    // Copied, as the bytes of a piece are used again.
    if (data === undefined || data.equals(Buffer.from(DONE))) {
      this.#written.push(Buffer.from(raw));
      return;
    }
    const event = parseUpstreamJson(data);
    if (!isJsonObject(event)) throw malformedResponse();
    if (isJsonObject(event.error) && event.type !== 'image_generation.partial_failed') throw this.rules.errorOf(event);
    const changed = this.rules.take(event);
    const head = name === '' ? '' : `event: ${name}\n`;
    this.#written.push(
      changed === undefined ? Buffer.from(raw) : Buffer.from(`${head}data: ${JSON.stringify(changed)}\n\n`),
    );
  }

  take(): Uint8Array {
    const [only = NOTHING, ...others] = this.#written;
    this.#written = [];
    return others.length === 0 ? only : Buffer.concat([only, ...others]);
  }

  close(): void {
    if (!this.rules.hasEnded) throw responseCutShort();
  }

  usage(): Usage {
    return this.rules.usage();
  }
}
