import type { ImageCapability } from '@gateway/catalogue';
import type { ImageProtocolId, ImageTraits } from '@gateway/contracts';
import { readGrokImage } from './grok-image.js';
import { readInteraction } from './interaction.js';
import { readOpenAiImage } from './openai-image.js';
import { readQwenImage } from './qwen-image.js';
import { readSeedream } from './seedream.js';
import type { ValidImageRequest } from './valid-image-request.js';

type Body = Record<string, unknown>;

/** The shape of an image request is its model's family's: a family is one file beside this one and one line here. */
const FAMILIES: {
  readonly [Id in ImageProtocolId]: (body: Body, modelId: string, traits: ImageTraits<Id>) => ValidImageRequest;
} = {
  'ark-images': readSeedream,
  'dashscope-image': readQwenImage,
  'gemini-interactions': readInteraction,
  'openai-images': readOpenAiImage,
  'xai-images': readGrokImage,
};

/** Checks a request by its family's rules. Throws a 400 that names the field and what is expected there. */
export const readImageRequest = <Id extends ImageProtocolId>(
  body: Body,
  modelId: string,
  side: ImageCapability<Id>,
): ValidImageRequest => FAMILIES[side.protocol](body, modelId, side.traits);
