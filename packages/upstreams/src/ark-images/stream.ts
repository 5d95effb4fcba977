import { isJsonObject, type Usage } from '@gateway/contracts';
import {
  type ImageEvent,
  type ImageEventRules,
  ImageEventTranslator,
  MAX_IMAGE_EVENT_BYTES,
} from '../image-events/image-event-translator.js';
import { withTokenCounts } from '../openai-image-body/token-counts.js';
import type { ImageCall, StreamReader } from '../protocol.js';
import { EventStreamReader } from '../sse/event-stream-reader.js';
import { errorInResponse } from './errors.js';
import { imageUsage } from './usage.js';
import { EVENTS } from './wire.js';

/**
 * Sets the public model id in events, and adds the counts of OpenAI's form to the last one. A broken stream is charged for
 * the images that arrived.
 */
class ArkImageEvents implements ImageEventRules {
  #arrived = 0;
  #isCompleted = false;
  #usage: unknown;

  constructor(private readonly publicModel: string) {}

  readonly errorOf = errorInResponse;

  get hasEnded(): boolean {
    return this.#isCompleted;
  }

  get isFinal(): boolean {
    return this.#isCompleted;
  }

  translate(event: ImageEvent): ImageEvent | undefined {
    if (event.type === EVENTS.succeeded) this.#arrived += 1;
    if (event.type === EVENTS.completed) {
      this.#isCompleted = true;
      this.#usage = event.usage;
    }
    const counts =
      event.type === EVENTS.completed && isJsonObject(event.usage) ? { usage: withTokenCounts(event.usage) } : {};
    return event.model === undefined ? undefined : { ...event, ...counts, model: this.publicModel };
  }

  usage(): Usage {
    return imageUsage(this.#usage, this.#arrived);
  }
}

export const openReader = ({ publicModel }: ImageCall<'ark-images'>): StreamReader =>
  new EventStreamReader(new ImageEventTranslator(new ArkImageEvents(publicModel)), MAX_IMAGE_EVENT_BYTES);
