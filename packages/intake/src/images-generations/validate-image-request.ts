import type { ImageCapability } from '@gateway/catalogue';
import { type ImageProtocolId, type ImageTraits, mergeChanges, type OpenAiImageForm } from '@gateway/contracts';
import type { ImageReference, MappedImages } from '@gateway/upstreams';
import { checkKnownFields } from '../known-fields.js';
import { validateGrokImage } from './grok-image.js';
import { validateInteraction } from './interaction.js';
import { readOpenAiEdit, readOpenAiForm, timesCalls } from './openai-form.js';
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

/**
 * Validates by the rules of the model's family. A body of OpenAI's images endpoint is mapped first. Throws a 400 that names
 * the field and what was expected.
 */
export function validateImageRequest<Id extends ImageProtocolId>(
  body: Body,
  modelId: string,
  capability: ImageCapability<Id>,
): ValidImageRequest {
  const mapped = readOpenAiForm(body, modelId, capability);
  return mapped === undefined ? validateOwn(body, modelId, capability) : validateMapped(mapped, modelId, capability);
}

/** Validates an edit by a family whose images endpoint takes reference images. */
export function validateReferences<Id extends ImageProtocolId>(
  form: OpenAiImageForm,
  capability: ImageCapability<Id>,
  references: readonly ImageReference[],
): ValidImageRequest {
  return validateMapped(readOpenAiEdit(form, capability, references), form.model, capability);
}

function validateMapped<Id extends ImageProtocolId>(
  { request, calls, changes }: MappedImages<Id>,
  modelId: string,
  capability: ImageCapability<Id>,
): ValidImageRequest {
  const { changes: own, ...valid } = timesCalls(validateOwn(request, modelId, capability), calls);
  return { ...valid, changes: mergeChanges(own, changes) };
}

function validateOwn<Id extends ImageProtocolId>(
  body: Body,
  modelId: string,
  { protocol, traits }: ImageCapability<Id>,
): ValidImageRequest {
  const valid = FAMILIES[protocol](body, modelId, traits);
  return { ...valid, changes: mergeChanges(checkKnownFields(body, protocol), valid.changes) };
}
