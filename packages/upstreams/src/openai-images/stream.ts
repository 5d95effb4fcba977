import { PARTIAL_IMAGE_TOKENS, type Usage } from '@gateway/contracts';
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
import { type DescribedImage, imageEvent } from './wire.js';

type Call = ImageCall<'openai-images'>;

const PARTIAL = 'image_generation.partial_image';
const COMPLETED = 'image_generation.completed';

/** Passes events through. A broken stream is charged for its prompt, and whole for an image of which a part was sent. */
class OpenAiImageEvents implements ImageEventRules {
  /** Of the image that is being sent. */
  #partials = 0;
  #described: DescribedImage = {};
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
    if (event.type === PARTIAL) this.#startImage(event);
    if (event.type !== COMPLETED) return;
    this.#completed += 1;
    this.#partials = 0;
    const parsed = imageEvent.safeParse(event);
    if (!parsed.success) throw malformedResponse();
    const usage = readImageUsage(parsed.data.usage) ?? estimateImageUsage(this.call, 1, parsed.data);
    this.#reported = this.#reported === undefined ? usage : addUsage(this.#reported, usage);
  }

  usage(): Usage {
    const reported = this.#reported ?? { units: {}, inputTokensTotal: 0, isEstimated: true };
    return this.#partials === 0 ? reported : addUsage(reported, this.#startedImage());
  }

  #startImage(event: ImageEvent): void {
    this.#partials += 1;
    const described = imageEvent.safeParse(event);
    if (described.success) this.#described = described.data;
  }

  /** The vendor bills an image that has begun as a whole one. Only the first image counts the prompt. */
  #startedImage(): Usage {
    const { units, inputTokensTotal } = estimateImageUsage(this.call, 1, this.#described);
    const { output_image_token: whole = 0, input_token: prompt = 0 } = units;
    const isFirst = this.#completed === 0;
    return {
      units: {
        ...(isFirst && { input_token: prompt }),
        output_image_token: whole + this.#partials * PARTIAL_IMAGE_TOKENS,
      },
      inputTokensTotal: isFirst ? inputTokensTotal : 0,
      isEstimated: true,
    };
  }
}

export const openReader = (call: Call): StreamReader =>
  new EventStreamReader(new ImageEventTranslator(new OpenAiImageEvents(call)), MAX_IMAGE_EVENT_BYTES);
