import { findModel } from '@gateway/catalogue';
import type { VideoBodyFormat, VideoModelTraits } from '@gateway/contracts';
import type { Arguments, JsonObject } from '../../tool.js';
import { wrongArgument } from '../../tool-failure.js';

/** What means the same for every family: what to film, a picture to begin with, pictures of what should be seen. */
interface Wish {
  readonly prompt: string | undefined;
  readonly firstFrame: string | undefined;
  readonly references: readonly string[];
}

const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const listOf = <Item>(value: string | undefined, make: (url: string) => Item): Item[] =>
  value === undefined ? [] : [make(value)];

function withMedia({ prompt, firstFrame, references }: Wish): JsonObject {
  const media = [
    ...listOf(firstFrame, (url) => ({ type: 'first_frame', url })),
    ...references.map((url) => ({ type: 'reference_image', url })),
  ];
  return given({ prompt, media: media.length === 0 ? undefined : media });
}

const wan26 = ({ prompt, firstFrame, references }: Wish): JsonObject =>
  given({ prompt, img_url: firstFrame, reference_urls: references.length === 0 ? undefined : references });

function seedance({ prompt, firstFrame, references }: Wish): JsonObject {
  const picture = (url: string, role: string) => ({ type: 'image_url', image_url: { url }, role });
  const content = [
    ...listOf(prompt, (text) => ({ type: 'text', text })),
    ...listOf(firstFrame, (url) => picture(url, 'first_frame')),
    ...references.map((url) => picture(url, 'reference_image')),
  ];
  return { content };
}

function grok({ prompt, firstFrame, references }: Wish): JsonObject {
  const pictures = references.map((url) => ({ url }));
  return given({
    prompt,
    image: firstFrame === undefined ? undefined : { url: firstFrame },
    reference_images: pictures.length === 0 ? undefined : pictures,
  });
}

const INPUTS: Readonly<Record<VideoBodyFormat, (wish: Wish) => JsonObject>> = {
  'wan-2.6': wan26,
  'wan-2.7': withMedia,
  'wan-3.0': withMedia,
  happyhorse: withMedia,
  seedance,
  grok,
};

/** The arguments as the body of the endpoint; whatever the model's own `input` says goes before what was translated. */
export function videoBody({
  model,
  prompt,
  first_frame_url: firstFrame,
  reference_urls: references = [],
  input,
  // Waiting is a tool of its own, with progress.
  wait: _,
  wait_timeout: __,
  ...rest
}: Arguments): JsonObject {
  const traits: VideoModelTraits | undefined = typeof model === 'string' ? findModel(model)?.video?.traits : undefined;
  if (!Array.isArray(references) || references.some((reference) => typeof reference !== 'string')) {
    throw wrongArgument('reference_urls', 'expected a list of addresses of images.');
  }
  const wish = { prompt: textOf('prompt', prompt), firstFrame: textOf('first_frame_url', firstFrame), references };
  const own = typeof input === 'object' && input !== null ? (input as JsonObject) : {};
  // A model that makes no videos is the gateway's to refuse.
  const translated = traits === undefined ? given({ prompt }) : INPUTS[traits.bodyFormat](wish);
  return { model, ...rest, input: { ...translated, ...own } };
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw wrongArgument(name, 'expected a text.');
}
