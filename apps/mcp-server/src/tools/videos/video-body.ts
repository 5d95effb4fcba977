import { findModel } from '@gateway/catalogue';
import { type VideoModelTraits, videoInputOf } from '@gateway/contracts';
import type { Arguments, JsonObject } from '../../tool.js';
import { invalidArgument } from '../../tool-failure.js';
import { optionalString, withoutUndefined } from '../body-fields.js';

/** Builds the endpoint's body. The client's `input` overrides the translated arguments. */
export function videoBody({
  model,
  prompt,
  first_frame_url: firstFrame,
  reference_urls: references = [],
  input,
  // Dropped: `wait_for_video` waits, with progress.
  wait: _,
  wait_timeout: __,
  ...rest
}: Arguments): JsonObject {
  const traits: VideoModelTraits | undefined = typeof model === 'string' ? findModel(model)?.video?.traits : undefined;
  if (!Array.isArray(references) || references.some((reference) => typeof reference !== 'string')) {
    throw invalidArgument('reference_urls', 'expected a list of image addresses.');
  }
  const videoInput = {
    prompt: optionalString('prompt', prompt),
    firstFrame: optionalString('first_frame_url', firstFrame),
    references,
  };
  const nativeInput = typeof input === 'object' && input !== null ? (input as JsonObject) : {};
  // Without traits the model makes no videos: the gateway refuses it.
  const translated = traits === undefined ? withoutUndefined({ prompt }) : videoInputOf(traits.bodyFormat, videoInput);
  return { model, ...rest, input: { ...translated, ...nativeInput } };
}
