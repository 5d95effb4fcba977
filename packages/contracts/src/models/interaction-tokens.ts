import type { InteractionRequest } from '../api/images-interaction.js';
import type { InteractionTraits } from './image-model-traits.js';

/** The most output tokens of an interaction that makes one image. */
export interface InteractionTokens {
  /** Text and thinking beside the image. */
  readonly text: number;
  readonly image: number;
  /** The cap that the upstream gets. It counts the image too. */
  readonly cap: number;
}

const TEXT_TOKENS = { minimal: 4_096, high: 12_288 } as const;

/** The hold covers what the cap allows: one computation for both. A cap of the client stays. */
export function mostInteractionTokens(
  { generation_config: config, response_format: format }: InteractionRequest,
  { imageTokens }: InteractionTraits,
): InteractionTokens {
  const image = imageTokens[format?.image_size ?? '1K'] ?? 0;
  const text = config?.max_output_tokens ?? TEXT_TOKENS[config?.thinking_level ?? 'minimal'];
  return { text, image, cap: config?.max_output_tokens ?? text + image };
}
