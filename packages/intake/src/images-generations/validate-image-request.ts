import type { ImageCapability } from '@gateway/catalogue';
import { type ImageProtocolId, type ImageTraits, mergeChanges } from '@gateway/contracts';
import { checkKnownFields } from '../known-fields.js';
import { validateGrokImage } from './grok-image.js';
import { validateInteraction } from './interaction.js';
import { validateOpenAiImage } from './openai-image.js';
import { validateQwenImage } from './qwen-image.js';
import { validateSeedream } from './seedream.js';
import type { ValidImageRequest } from './valid-image-request.js';

type Body = Record<string, unknown>;

/** Each model family has its own body. A family is one file beside this one and one line here. */
const FAMILIES: {
  readonly [Id in ImageProtocolId]: (body: Body, modelId: string, traits: ImageTraits<Id>) => ValidImageRequest;
} = {
  'ark-images': validateSeedream,
  'dashscope-image': validateQwenImage,
  'gemini-interactions': validateInteraction,
  'openai-images': validateOpenAiImage,
  'xai-images': validateGrokImage,
};

/** Validates by the rules of the model's family. Throws a 400 that names the field and what was expected. */
export function validateImageRequest<Id extends ImageProtocolId>(
  body: Body,
  modelId: string,
  { protocol, traits }: ImageCapability<Id>,
): ValidImageRequest {
  const valid = FAMILIES[protocol](body, modelId, traits);
  return { ...valid, changes: mergeChanges(checkKnownFields(body, protocol), valid.changes) };
}
