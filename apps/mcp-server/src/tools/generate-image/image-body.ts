import { findModel } from '@gateway/catalogue';
import type { ImageProtocolId } from '@gateway/contracts';
import type { Arguments, JsonObject } from '../../tool.js';
import { wrongArgument } from '../../tool-failure.js';

/** The arguments that mean the same for every family, and the rest, which is of the model's own family. */
interface Request {
  readonly prompt: string | undefined;
  readonly references: readonly string[];
  readonly size: string | undefined;
  readonly own: JsonObject;
}

const DATA_URI = /^data:(image\/[a-z0-9.+-]+);base64,(.*)$/is;

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

/** Without the fields that were not given, which a family might refuse. */
const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Takes some fields out of an object: what they are, and what is left. */
function apart(fields: JsonObject, names: readonly string[]): readonly [taken: JsonObject, left: JsonObject] {
  const entries = Object.entries(fields);
  return [
    Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  ];
}

function qwen({ prompt, references, size, own }: Request): JsonObject {
  const [parameters, rest] = apart(own, ['n', 'seed', 'watermark', 'negative_prompt', 'prompt_extend']);
  const content = [...references.map((image) => ({ image })), ...(prompt === undefined ? [] : [{ text: prompt }])];
  const all = { ...parameters, ...given({ size: size?.replace(/x/i, '*') }), ...objectOf(rest.parameters) };
  return {
    ...rest,
    input: rest.input ?? { messages: [{ role: 'user', content }] },
    ...(Object.keys(all).length > 0 && { parameters: all }),
  };
}

function interactionBlock(reference: string): JsonObject {
  const parts = DATA_URI.exec(reference);
  if (parts === null) {
    throw wrongArgument(
      'reference_images',
      'expected data URIs (data:image/png;base64,…): this model takes no addresses.',
    );
  }
  return { type: 'image', mime_type: parts[1], data: parts[2] };
}

function interaction({ prompt, references, size, own }: Request): JsonObject {
  const [{ aspect_ratio: aspectRatio }, rest] = apart(own, ['aspect_ratio']);
  const format = { ...given({ image_size: size, aspect_ratio: aspectRatio }), ...objectOf(rest.response_format) };
  const text = prompt === undefined ? [] : [{ type: 'text', text: prompt }];
  const input = references.length === 0 ? prompt : [...text, ...references.map(interactionBlock)];
  return {
    ...rest,
    ...given({ input: rest.input ?? input }),
    ...(Object.keys(format).length > 0 && { response_format: { type: 'image', ...format } }),
  };
}

function openAi({ prompt, references, size, own }: Request): JsonObject {
  if (references.length > 0)
    throw wrongArgument('reference_images', 'this model makes images from text alone: use edit_image.');
  return { ...own, ...given({ prompt, size }) };
}

function seedream({ prompt, references, size, own }: Request): JsonObject {
  const image = references.length === 0 ? undefined : references;
  return { response_format: 'b64_json', ...own, ...given({ prompt, size, image: own.image ?? image }) };
}

function grok({ prompt, references, size, own }: Request): JsonObject {
  const images = references.length === 0 ? undefined : references.map((url) => ({ url }));
  const resolution = own.resolution ?? size?.toLowerCase();
  return { response_format: 'b64_json', ...own, ...given({ prompt, resolution, images: own.images ?? images }) };
}

const BODIES: Readonly<Record<ImageProtocolId, (request: Request) => JsonObject>> = {
  'dashscope-image': qwen,
  'gemini-interactions': interaction,
  'openai-images': openAi,
  'ark-images': seedream,
  'xai-images': grok,
};

/**
 * The arguments as the body of the model's own family. What a family has of its own is passed on as it came, so that the
 * body which the HTTP interface takes is good here too; the gateway says what is wrong with it.
 */
export function imageBody({ model, prompt, reference_images: references = [], size, ...own }: Arguments): JsonObject {
  const protocol = typeof model === 'string' ? findModel(model)?.imageGeneration?.protocol : undefined;
  if (!Array.isArray(references) || references.some((reference) => typeof reference !== 'string')) {
    throw wrongArgument('reference_images', 'expected a list of texts: addresses or data URIs of images.');
  }
  // A model that makes no images is the gateway's to refuse.
  if (protocol === undefined) return given({ model, prompt, size, ...own });
  const request = { prompt: textOf('prompt', prompt), references, size: textOf('size', size), own: withoutStream(own) };
  return { model, ...BODIES[protocol](request) };
}

/** A tool's result comes at once: parts of a picture would be lost. */
const withoutStream = ({ stream: _, partial_images: __, ...own }: JsonObject): JsonObject => own;

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw wrongArgument(name, 'expected a text.');
}
