import { type GatewayError, isJsonObject, type JsonObject, type Usage } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import type { EventTranslator } from '../sse/event-stream-reader.js';
import type { SseEvent } from '../sse/sse-event.js';

/** Limit of one event: several times the largest image as base64. */
export const MAX_IMAGE_EVENT_BYTES = 64 * 1024 * 1024;

const DONE = '[DONE]';
const EMPTY = new Uint8Array(0);

/** Parsed data of one event. */
export type ImageEvent = JsonObject & { readonly type?: unknown };

/** Vendor-specific meaning of image events. */
export interface ImageEventRules {
  /** Reads an event. Returns its replacement, or undefined to forward the event's own bytes. */
  translate(event: ImageEvent): ImageEvent | undefined;
  errorOf(event: ImageEvent): GatewayError;
  /** True once the stream may end cleanly. */
  readonly hasEnded: boolean;
  readonly isFinal: boolean;
  usage(): Usage;
}

/** Forwards a stream of images. Each event is complete in itself, so its bytes pass through unless a rule replaces them. */
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
    // Copied: the network buffer is reused after this call.
    if (data === undefined || data.equals(Buffer.from(DONE))) {
      this.#written.push(Buffer.from(raw));
      return;
    }
    const event = parseUpstreamJson(data);
    if (!isJsonObject(event)) throw malformedResponse();
    if (isJsonObject(event.error) && event.type !== 'image_generation.partial_failed') throw this.rules.errorOf(event);
    const replacement = this.rules.translate(event);
    const head = name === '' ? '' : `event: ${name}\n`;
    this.#written.push(
      replacement === undefined ? Buffer.from(raw) : Buffer.from(`${head}data: ${JSON.stringify(replacement)}\n\n`),
    );
  }

  drain(): Uint8Array {
    const [only = EMPTY, ...others] = this.#written;
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
