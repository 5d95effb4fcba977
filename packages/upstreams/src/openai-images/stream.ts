import { estimateTokens, PARTIAL_IMAGE_TOKENS, type Usage } from '@gateway/contracts';
import { malformedResponse } from '../failures/malformed-response.js';
import {
  type ImageEvent,
  type ImageEventRules,
  ImageEventTranslator,
  MAX_IMAGE_EVENT_BYTES,
} from '../image-events/image-event-translator.js';
import { readImageUsage } from '../metering/image-usage.js';
import type { ImageCall, StreamReader } from '../protocol.js';
import { EventStreamReader } from '../sse/event-stream-reader.js';
import { errorInResponse } from './errors.js';
import { addUsage, estimateImageUsage } from './usage.js';
import { imageEvent } from './wire.js';

type Call = ImageCall<'openai-images'>;

const PARTIAL = 'image_generation.partial_image';
const COMPLETED = 'image_generation.completed';

/** Passes events through. A broken stream is charged for its prompt and its partial images. */
class OpenAiImageEvents implements ImageEventRules {
  #partials = 0;
  #completed = 0;
  #reported: Usage | undefined;

  constructor(private readonly call: Call) {}

  readonly errorOf = errorInResponse;

  get hasEnded(): boolean {
    return this.#completed > 0;
  }

  get isFinal(): boolean {
    return this.#completed >= (this.call.request.n ?? 1);
  }

  translate(event: ImageEvent): undefined {
    if (event.type === PARTIAL) this.#partials += 1;
    if (event.type !== COMPLETED) return;
    this.#completed += 1;
    const parsed = imageEvent.safeParse(event);
    if (!parsed.success) throw malformedResponse();
    const usage = readImageUsage(parsed.data.usage) ?? estimateImageUsage(this.call, 1, parsed.data);
    this.#reported = this.#reported === undefined ? usage : addUsage(this.#reported, usage);
  }

  usage(): Usage {
    if (this.#reported !== undefined) return this.#reported;
    if (this.#partials === 0) return { units: {}, inputTokensTotal: 0, isEstimated: true };
    const input = estimateTokens(Buffer.byteLength(this.call.request.prompt));
    return {
      units: { input_token: input, output_image_token: this.#partials * PARTIAL_IMAGE_TOKENS },
      inputTokensTotal: input,
      isEstimated: true,
    };
  }
}

export const openReader = (call: Call): StreamReader =>
  new EventStreamReader(new ImageEventTranslator(new OpenAiImageEvents(call)), MAX_IMAGE_EVENT_BYTES);
