import type { Model } from '../../../api/models.js';

export interface VideoContent {
  readonly prompt: string;
  /** Addresses of images: a first frame, or references. */
  readonly images: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;
/** `asReferences`: the images show what appears, not how the video begins. */
type WriteInput = (content: VideoContent, asReferences: boolean) => Body;

const media: WriteInput = ({ prompt, images }, asReferences) => ({
  prompt,
  ...(images.length > 0 && {
    media: images.map((url) => ({ type: asReferences ? 'reference_image' : 'first_frame', url })),
  }),
});

/** How each family writes `input`: docs/how-to/videos.md. */
const INPUTS: Readonly<Record<string, WriteInput>> = {
  'wan-2.6': ({ prompt, images }, asReferences) => ({
    prompt,
    ...(images.length > 0 && (asReferences ? { reference_urls: images } : { img_url: images[0] })),
  }),
  'wan-2.7': media,
  'wan-3.0': media,
  happyhorse: media,
  seedance: ({ prompt, images }, asReferences) => ({
    content: [
      { type: 'text', text: prompt },
      ...images.map((url) => ({
        type: 'image_url',
        image_url: { url },
        ...(asReferences && { role: 'reference_image' }),
      })),
    ],
  }),
  grok: ({ prompt, images }, asReferences) => ({
    prompt,
    ...(images.length > 0 &&
      (asReferences ? { reference_images: images.map((url) => ({ url })) } : { image: { url: images[0] } })),
  }),
};

/** `input` of a video request in the form of the model's family. Several images are references. */
export function videoInput({ capabilities: { video } }: Model, content: VideoContent): Body {
  const write = INPUTS[video?.body ?? ''] ?? media;
  const asReferences = video?.input === 'r2v' || (video?.input === 'any' && content.images.length > 1);
  return write(content, asReferences);
}
