import type { ImageCapability } from '@gateway/catalogue';
import type { ImageProtocolId, ImageTraits } from '@gateway/contracts';
import { validateGrokImage } from './grok-image.js';
import { validateInteraction } from './interaction.js';
import { validateOpenAiImage } from './openai-image.js';
import { validateQwenImage } from './qwen-image.js';
import { validateSeedream } from './seedream.js';
import type { ValidImageRequest } from './valid-image-request.js';

type Body = Record<string, unknown>;

/** The shape of an image request is its model's family's: a family is one file beside this one and one line here. */
const FAMILIES: {
  readonly [Id in ImageProtocolId]: (body: Body, modelId: string, traits: ImageTraits<Id>) => ValidImageRequest;
} = {
  'ark-images': validateSeedream,
  'dashscope-image': validateQwenImage,
  'gemini-interactions': validateInteraction,
  'openai-images': validateOpenAiImage,
  'xai-images': validateGrokImage,
};

/** Checks a request by its family's rules. Throws a 400 that names the field and what is expected there. */
export const validateImageRequest = <Id extends ImageProtocolId>(
  body: Body,
  modelId: string,
  side: ImageCapability<Id>,
): ValidImageRequest => FAMILIES[side.protocol](body, modelId, side.traits);
