import { findModel } from '@gateway/catalogue';
import type { ImageProtocolId } from '@gateway/contracts';
import type { Arguments, JsonObject } from '../../tool.js';
import { invalidArgument } from '../../tool-failure.js';
import { optionalString, withoutUndefined } from '../body-fields.js';

/** Arguments with one meaning for every model family; `familyFields` holds the others. */
interface ImageArguments {
  readonly prompt: string | undefined;
  readonly references: readonly string[];
  readonly size: string | undefined;
  readonly familyFields: JsonObject;
}

const DATA_URI = /^data:(image\/[a-z0-9.+-]+);base64,(.*)$/is;

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

/** Splits an object into the named fields and the others. */
function splitFields(fields: JsonObject, names: readonly string[]): readonly [named: JsonObject, others: JsonObject] {
  const entries = Object.entries(fields);
  return [
    Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  ];
}

function qwen({ prompt, references, size, familyFields }: ImageArguments): JsonObject {
  const [parameters, rest] = splitFields(familyFields, ['n', 'seed', 'watermark', 'negative_prompt', 'prompt_extend']);
  const content = [...references.map((image) => ({ image })), ...(prompt === undefined ? [] : [{ text: prompt }])];
  const all = { ...parameters, ...withoutUndefined({ size: size?.replace(/x/i, '*') }), ...objectOf(rest.parameters) };
  return {
    ...rest,
    input: rest.input ?? { messages: [{ role: 'user', content }] },
    ...(Object.keys(all).length > 0 && { parameters: all }),
  };
}

function interactionBlock(reference: string): JsonObject {
  const parts = DATA_URI.exec(reference);
  if (parts === null) {
    throw invalidArgument(
      'reference_images',
      'expected data URIs (data:image/png;base64,…): this model accepts no addresses.',
    );
  }
  return { type: 'image', mime_type: parts[1], data: parts[2] };
}

function interaction({ prompt, references, size, familyFields }: ImageArguments): JsonObject {
  const [{ aspect_ratio: aspectRatio }, rest] = splitFields(familyFields, ['aspect_ratio']);
  const format = {
    ...withoutUndefined({ image_size: size, aspect_ratio: aspectRatio }),
    ...objectOf(rest.response_format),
  };
  const text = prompt === undefined ? [] : [{ type: 'text', text: prompt }];
  const input = references.length === 0 ? prompt : [...text, ...references.map(interactionBlock)];
  return {
    ...rest,
    ...withoutUndefined({ input: rest.input ?? input }),
    ...(Object.keys(format).length > 0 && { response_format: { type: 'image', ...format } }),
  };
}

function openAi({ prompt, references, size, familyFields }: ImageArguments): JsonObject {
  if (references.length > 0)
    throw invalidArgument('reference_images', 'this model makes images from text alone: use edit_image.');
  return { ...familyFields, ...withoutUndefined({ prompt, size }) };
}

function seedream({ prompt, references, size, familyFields }: ImageArguments): JsonObject {
  const image = references.length === 0 ? undefined : references;
  return {
    response_format: 'b64_json',
    ...familyFields,
    ...withoutUndefined({ prompt, size, image: familyFields.image ?? image }),
  };
}

function grok({ prompt, references, size, familyFields }: ImageArguments): JsonObject {
  const images = references.length === 0 ? undefined : references.map((url) => ({ url }));
  const resolution = familyFields.resolution ?? size?.toLowerCase();
  return {
    response_format: 'b64_json',
    ...familyFields,
    ...withoutUndefined({ prompt, resolution, images: familyFields.images ?? images }),
  };
}

const BODIES: Readonly<Record<ImageProtocolId, (request: ImageArguments) => JsonObject>> = {
  'dashscope-image': qwen,
  'gemini-interactions': interaction,
  'openai-images': openAi,
  'ark-images': seedream,
  'xai-images': grok,
};

/**
 * Builds the request body in the format of the model's family. Passes the family's own fields unchanged, so that bodies of
 * the HTTP interface work too. The gateway validates the result.
 */
export function imageBody({
  model,
  prompt,
  reference_images: references = [],
  size,
  ...familyFields
}: Arguments): JsonObject {
  const protocol = typeof model === 'string' ? findModel(model)?.imageGeneration?.protocol : undefined;
  if (!Array.isArray(references) || references.some((reference) => typeof reference !== 'string')) {
    throw invalidArgument('reference_images', 'expected a list of strings: addresses or data URIs of images.');
  }
  // Without a protocol the model makes no images: the gateway refuses it.
  if (protocol === undefined) return withoutUndefined({ model, prompt, size, ...familyFields });
  const request = {
    prompt: optionalString('prompt', prompt),
    references,
    size: optionalString('size', size),
    familyFields: withoutStream(familyFields),
  };
  return { model, ...BODIES[protocol](request) };
}

/** Drops streaming: a tool result cannot carry partial images. */
const withoutStream = ({ stream: _, partial_images: __, ...familyFields }: JsonObject): JsonObject => familyFields;
