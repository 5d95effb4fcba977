import { GatewayError, type ImageProtocolId, type OpenAiImageForm } from '@gateway/contracts';
import type { ImageBody, ReadForm } from './image-body.js';
import { parseSize } from './sizes.js';

/** Fields of the form that no family but OpenAI's has, and that change nothing that is billed. */
const HINTS = ['style', 'moderation', 'user', 'safety_identifier'] as const;
/** Values that ask for nothing. */
const NEUTRAL_QUALITIES = ['auto', 'standard'];

const refusal = (param: string, modelId: string, expected: string): GatewayError =>
  new GatewayError('unsupported_value', `'${param}': ${modelId} supports ${expected}.`, { param });

/** Throws a GatewayError (400) for a setting that the family does not have. `dropped` names hints that are not sent. */
export function readForm(
  form: OpenAiImageForm,
  modelId: string,
  { supports }: Pick<ImageBody<ImageProtocolId>, 'supports'>,
): { readonly form: ReadForm; readonly dropped: readonly string[] } {
  checkQuality(form, modelId, supports.qualities);
  checkFormat(form, modelId, supports.outputFormats);
  checkStream(form, modelId, supports.streams);
  const { model, prompt, n, size, quality, response_format, output_format, stream, ...rest } = form;
  const {
    style: _s,
    moderation: _m,
    user: _u,
    safety_identifier: _i,
    background: _b,
    output_compression: _c,
    partial_images: _p,
    ...others
  } = rest;
  const hasQuality = quality != null && supports.qualities.includes(quality);
  return {
    form: {
      model,
      prompt,
      size: parseSize(size),
      quality: hasQuality ? quality : undefined,
      outputFormat: output_format ?? undefined,
      responseFormat: response_format ?? undefined,
      count: n ?? 1,
      stream: stream === true,
      others,
    },
    dropped: [...HINTS.filter((name) => form[name] != null), ...(quality === 'standard' ? ['quality'] : [])],
  };
}

function checkQuality({ quality }: OpenAiImageForm, modelId: string, qualities: readonly string[]): void {
  if (quality == null || NEUTRAL_QUALITIES.includes(quality) || qualities.includes(quality)) return;
  throw refusal('quality', modelId, `one of ${[...NEUTRAL_QUALITIES, ...qualities].join(', ')}`);
}

function checkFormat(form: OpenAiImageForm, modelId: string, formats: readonly string[]): void {
  const { background, output_format: format, output_compression: compression } = form;
  if (background === 'transparent') throw refusal('background', modelId, 'opaque images only');
  if (format != null && !formats.includes(format)) {
    throw refusal(
      'output_format',
      modelId,
      formats.length === 0 ? 'no choice of a format' : `only ${formats.join(', ')}`,
    );
  }
  if (compression != null && compression < 100) throw refusal('output_compression', modelId, 'no compression');
}

function checkStream({ stream, partial_images: partial, n }: OpenAiImageForm, modelId: string, streams: boolean): void {
  if (stream === true && !streams) throw refusal('stream', modelId, 'no streams of images');
  if (stream === true && n != null && n > 1) throw refusal('n', modelId, 'one image in a stream');
  if (partial != null && partial > 0) throw refusal('partial_images', modelId, 'no partial images');
}
