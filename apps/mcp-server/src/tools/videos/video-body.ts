import { findModel } from '@gateway/catalogue';
import type { VideoBodyFormat, VideoModelTraits } from '@gateway/contracts';
import type { Arguments, JsonObject } from '../../tool.js';
import { invalidArgument } from '../../tool-failure.js';
import { optionalString, withoutUndefined } from '../body-fields.js';

/** Arguments with one meaning for every model family. */
interface VideoInput {
  readonly prompt: string | undefined;
  readonly firstFrame: string | undefined;
  readonly references: readonly string[];
}

const listOf = <Item>(value: string | undefined, make: (url: string) => Item): Item[] =>
  value === undefined ? [] : [make(value)];

function withMedia({ prompt, firstFrame, references }: VideoInput): JsonObject {
  const media = [
    ...listOf(firstFrame, (url) => ({ type: 'first_frame', url })),
    ...references.map((url) => ({ type: 'reference_image', url })),
  ];
  return withoutUndefined({ prompt, media: media.length === 0 ? undefined : media });
}

const wan26 = ({ prompt, firstFrame, references }: VideoInput): JsonObject =>
  withoutUndefined({ prompt, img_url: firstFrame, reference_urls: references.length === 0 ? undefined : references });

function seedance({ prompt, firstFrame, references }: VideoInput): JsonObject {
  const image = (url: string, role: string) => ({ type: 'image_url', image_url: { url }, role });
  const content = [
    ...listOf(prompt, (text) => ({ type: 'text', text })),
    ...listOf(firstFrame, (url) => image(url, 'first_frame')),
    ...references.map((url) => image(url, 'reference_image')),
  ];
  return { content };
}

function grok({ prompt, firstFrame, references }: VideoInput): JsonObject {
  const images = references.map((url) => ({ url }));
  return withoutUndefined({
    prompt,
    image: firstFrame === undefined ? undefined : { url: firstFrame },
    reference_images: images.length === 0 ? undefined : images,
  });
}

const INPUTS: Readonly<Record<VideoBodyFormat, (videoInput: VideoInput) => JsonObject>> = {
  'wan-2.6': wan26,
  'wan-2.7': withMedia,
  'wan-3.0': withMedia,
  happyhorse: withMedia,
  seedance,
  grok,
};

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
  const translated = traits === undefined ? withoutUndefined({ prompt }) : INPUTS[traits.bodyFormat](videoInput);
  return { model, ...rest, input: { ...translated, ...nativeInput } };
}
