import { PARTIAL_IMAGE_TOKENS, type Usage } from '@gateway/contracts';
import { z } from 'zod';
import { malformedResponse } from '../failures/malformed-response.js';
import { errorInResponse } from '../failures/openai-image-failure.js';
import { readImageUsage } from '../metering/image-usage.js';
import type { StreamReader } from '../protocol.js';
import { EventStreamReader } from '../sse/event-stream-reader.js';
import {
  type ImageEvent,
  type ImageEventRules,
  ImageEventTranslator,
  MAX_IMAGE_EVENT_BYTES,
} from './image-event-translator.js';

/** One stream event: platform.openai.com/docs/api-reference/images-streaming. */
const imageEvent = z.looseObject({
  size: z.string().nullish(),
  quality: z.string().nullish(),
  usage: z.unknown().optional(),
});

export type DescribedImage = Pick<z.infer<typeof imageEvent>, 'size' | 'quality'>;

/** A stream of images that OpenAI makes or edits. */
export interface OpenAiImageStream {
  /** Such as `image_edit`: `image_edit.partial_image` and `image_edit.completed` are its events. */
  readonly kind: 'image_generation' | 'image_edit';
  readonly images: number;
  /** Of one image without partial ones, and of what it is made from. */
  readonly estimate: (described: DescribedImage) => Usage;
}

/** Passes events through. A broken stream is charged for its input, and whole for an image of which a part was sent. */
class OpenAiImageEvents implements ImageEventRules {
  /** Of the image that is being sent. */
  #partials = 0;
  #described: DescribedImage = {};
  #completed = 0;
  #reported: Usage | undefined;

  constructor(private readonly stream: OpenAiImageStream) {}

  readonly errorOf = errorInResponse;

  get hasEnded(): boolean {
    return this.#completed > 0;
  }

  get isFinal(): boolean {
    return this.#completed >= this.stream.images;
  }

  translate(event: ImageEvent): undefined {
    const { kind } = this.stream;
    if (event.type === `${kind}.partial_image`) this.#startImage(event);
    if (event.type === `${kind}.completed`) this.#completeImage(event);
  }

  usage(): Usage {
    const reported = this.#reported ?? { units: {}, inputTokensTotal: 0, isEstimated: true };
    return this.#partials === 0 ? reported : addUsage(reported, this.#estimated(this.#described));
  }

  #startImage(event: ImageEvent): void {
    this.#partials += 1;
    const described = imageEvent.safeParse(event);
    if (described.success) this.#described = described.data;
  }

  #completeImage(event: ImageEvent): void {
    const parsed = imageEvent.safeParse(event);
    if (!parsed.success) throw malformedResponse();
    const usage = readImageUsage(parsed.data.usage) ?? this.#estimated(parsed.data);
    this.#completed += 1;
    this.#partials = 0;
    this.#reported = this.#reported === undefined ? usage : addUsage(this.#reported, usage);
  }

  /** The vendor bills an image that has begun as a whole one. Only the first image counts what it is made from. */
  #estimated(described: DescribedImage): Usage {
    const { units, inputTokensTotal } = this.stream.estimate(described);
    const { output_image_token: whole = 0, ...inputs } = units;
    const isFirst = this.#completed === 0;
    return {
      units: { ...(isFirst && inputs), output_image_token: whole + this.#partials * PARTIAL_IMAGE_TOKENS },
      inputTokensTotal: isFirst ? inputTokensTotal : 0,
      isEstimated: true,
    };
  }
}

export const openAiImageReader = (stream: OpenAiImageStream): StreamReader =>
  new EventStreamReader(new ImageEventTranslator(new OpenAiImageEvents(stream)), MAX_IMAGE_EVENT_BYTES);

/** Sums two usages. */
function addUsage(first: Usage, second: Usage): Usage {
  const units: Record<string, number> = { ...first.units };
  for (const [unit, count] of Object.entries(second.units)) units[unit] = (units[unit] ?? 0) + count;
  return {
    units,
    inputTokensTotal: first.inputTokensTotal + second.inputTokensTotal,
    isEstimated: first.isEstimated || second.isEstimated,
  };
}
