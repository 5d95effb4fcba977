import type { VideoBodyFormat } from './video-model-traits.js';

/** What a video is made from, with one meaning for every model family. Images are addresses or data URLs. */
export interface PlainVideoInput {
  readonly prompt: string | undefined;
  readonly firstFrame: string | undefined;
  readonly references: readonly string[];
}

type VideoInput = Readonly<Record<string, unknown>>;

const listOf = <Item>(value: string | undefined, make: (url: string) => Item): Item[] =>
  value === undefined ? [] : [make(value)];

const unlessEmpty = <Item>(list: readonly Item[]): readonly Item[] | undefined =>
  list.length === 0 ? undefined : list;

function withMedia({ prompt, firstFrame, references }: PlainVideoInput): VideoInput {
  const media = [
    ...listOf(firstFrame, (url) => ({ type: 'first_frame', url })),
    ...references.map((url) => ({ type: 'reference_image', url })),
  ];
  return { prompt, media: unlessEmpty(media) };
}

const wan26 = ({ prompt, firstFrame, references }: PlainVideoInput): VideoInput => ({
  prompt,
  img_url: firstFrame,
  reference_urls: unlessEmpty(references),
});

function seedance({ prompt, firstFrame, references }: PlainVideoInput): VideoInput {
  const image = (url: string, role: string) => ({ type: 'image_url', image_url: { url }, role });
  const content = [
    ...listOf(prompt, (text) => ({ type: 'text', text })),
    ...listOf(firstFrame, (url) => image(url, 'first_frame')),
    ...references.map((url) => image(url, 'reference_image')),
  ];
  return { content };
}

const grok = ({ prompt, firstFrame, references }: PlainVideoInput): VideoInput => ({
  prompt,
  image: firstFrame === undefined ? undefined : { url: firstFrame },
  reference_images: unlessEmpty(references.map((url) => ({ url }))),
});

const INPUTS: Readonly<Record<VideoBodyFormat, (input: PlainVideoInput) => VideoInput>> = {
  'wan-2.6': wan26,
  'wan-2.7': withMedia,
  'wan-3.0': withMedia,
  happyhorse: withMedia,
  seedance,
  grok,
};

/** The `input` of a family's own body, without fields that are undefined. */
export const videoInputOf = (format: VideoBodyFormat, input: PlainVideoInput): VideoInput =>
  Object.fromEntries(Object.entries(INPUTS[format](input)).filter(([, value]) => value !== undefined));
