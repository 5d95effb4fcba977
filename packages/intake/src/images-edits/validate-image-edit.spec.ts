import { findModel, withCapability } from '@gateway/catalogue';
import { isGatewayError, PARTIAL_IMAGE_TOKENS } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { FormFile, ImageMetadata } from './form-file.js';
import { validateImageEdit } from './validate-image-edit.js';

type Fields = Readonly<Record<string, string>>;

const MEBIBYTE = 1024 * 1024;
const BY_TOKENS = ['gp-image-2', 'gp-image-1.5', 'gp-image-1'] as const;
const LEGACY = 'de-2';

function file(field: string, bytes = 1, seen: Partial<ImageMetadata> = {}): FormFile {
  return { field, bytes, image: { format: 'png', width: 64, height: 64, hasAlpha: false, ...seen } };
}

const image = (bytes?: number, seen?: Partial<ImageMetadata>): FormFile => file('image', bytes, seen);
const mask = (bytes?: number, seen?: Partial<ImageMetadata>): FormFile =>
  file('mask', bytes, { hasAlpha: true, ...seen });
const unknown = (field: string): FormFile => ({ field, bytes: 1, image: undefined });

function edit(id: string, fields: Fields, files: readonly FormFile[] = [image()]) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  const form = { fields: { model: id, prompt: 'A hat', ...fields }, files };
  return validateImageEdit(form, withCapability(model, 'imageEdits'));
}

function refusal(id: string, fields: Fields, files?: readonly FormFile[]) {
  try {
    edit(id, fields, files);
  } catch (error) {
    if (isGatewayError(error)) return { code: error.code, param: error.details.param, message: error.message };
    throw error;
  }
  throw new Error(`nothing was refused: ${JSON.stringify(fields)}`);
}

type Row = readonly [field: string, legal: readonly string[], illegal: readonly string[]];

const EVERY_MODEL: readonly Row[] = [
  ['n', ['1', '10'], ['0', '11', '', '-1', '1.5', '1e1', ' 1', 'two']],
  ['quality', ['auto', 'low', 'medium', 'high', 'standard', 'hd'], ['', 'best', 'LOW']],
  ['response_format', ['b64_json', 'url'], ['', 'json']],
  ['user', ['', 'u-1'], []],
  ['safety_identifier', ['', 'h-1'], []],
  ['style', [], ['vivid', '']],
  ['image', [], ['https://example.com/a.png']],
  ['mask', [], ['']],
];

const TOKENS: readonly Row[] = [
  ...EVERY_MODEL,
  ['stream', ['true', 'false', '0', ''], ['1', 'no', 'TRUE']],
  ['partial_images', ['0', '', '1', '3'], ['4', '-1', 'x']],
  ['prompt', ['x', 'x'.repeat(32_000)], ['', 'x'.repeat(32_001)]],
  ['size', ['auto', '1024x1024', '1024x1536', '1536x1024'], ['', '256x256', '1024X1024', '1536x1536']],
  ['output_format', ['png', 'jpeg', 'webp'], ['', 'jpg', 'gif']],
  ['background', ['auto', 'transparent', 'opaque'], ['', 'white']],
];

const IMAGES: readonly Row[] = [
  ...EVERY_MODEL,
  ['stream', ['false', '0', ''], ['true', '1', 'no']],
  ['partial_images', ['0', ''], ['1', '3', '4']],
  ['prompt', ['x', 'x'.repeat(1_000)], ['', 'x'.repeat(1_001)]],
  ['size', ['auto', '256x256', '512x512', '1024x1024'], ['', '128x128', '1536x1024']],
  ['output_format', [], ['png', 'jpeg', 'webp']],
  ['output_compression', [], ['100']],
  ['background', ['auto'], ['transparent', 'opaque']],
  ['input_fidelity', [], ['low', 'high']],
];

describe.each([...BY_TOKENS.map((id) => [id, TOKENS] as const), [LEGACY, IMAGES] as const])(
  'the fields of an edit by %s',
  (id, rows) => {
    it.each(rows)('%s', (field, legal, illegal) => {
      for (const value of legal) expect(() => edit(id, { [field]: value })).not.toThrow();
      for (const value of illegal)
        expect({ value, param: refusal(id, { [field]: value }).param }).toEqual({ value, param: field });
    });
  },
);

describe('fields of a stream', () => {
  it.each([
    ['stream', 'true', 'false'],
    ['partial_images', '1', '0'],
  ])('%s=%s names the value that is served', (field, value, served) => {
    expect(refusal(LEGACY, { [field]: value }).message).toBe(
      `'${field}': expected ${served}, because ${LEGACY} streams no edits.`,
    );
  });
});

it('holds what unfinished images of a stream cost', () => {
  const held = (fields: Record<string, string>) => edit('gp-image-2', { n: '2', ...fields }).worstCase.units;
  const { output_image_token: whole = 0 } = held({});
  const { output_image_token: streamed = 0 } = held({ stream: 'true', partial_images: '3' });
  expect(streamed - whole).toBe(2 * 3 * PARTIAL_IMAGE_TOKENS);
});

describe('fields that depend on each other', () => {
  it.each(['png', 'webp'])('accepts a transparent background in %s', (output_format) => {
    expect(() => edit('gp-image-2', { background: 'transparent', output_format })).not.toThrow();
  });

  it('rejects a transparent JPEG', () => {
    expect(refusal('gp-image-2', { background: 'transparent', output_format: 'jpeg' })).toMatchObject({
      param: 'background',
    });
  });

  it.each([
    ['0', 'jpeg'],
    ['99', 'webp'],
    ['100', 'png'],
  ])('accepts a compression of %s in %s', (output_compression, output_format) => {
    expect(() => edit('gp-image-2', { output_compression, output_format })).not.toThrow();
  });

  it.each(['99', '0', '101', ''])('rejects a compression of %s in PNG, explicit or not', (output_compression) => {
    expect(refusal('gp-image-2', { output_compression })).toMatchObject({ param: 'output_compression' });
    expect(refusal('gp-image-2', { output_compression, output_format: 'png' }).param).toBe('output_compression');
  });

  it.each(BY_TOKENS)('accepts fidelity only for models that support it: %s', (id) => {
    const editWithFidelity = () => edit(id, { input_fidelity: 'high' });
    if (id === 'gp-image-2') expect(editWithFidelity).toThrow('input_fidelity');
    else expect(editWithFidelity).not.toThrow();
  });
});

describe('the files of an edit', () => {
  it.each(BY_TOKENS)('%s: sixteen at most, of any format and shape, below 50 MB each', (id) => {
    const many = [
      image(50 * MEBIBYTE - 1),
      image(1, { format: 'jpeg', width: 30, height: 20 }),
      file('image[]', 1, { format: 'webp' }),
      ...new Array(13).fill(image()),
    ];
    const { files } = edit(id, {}, many);
    expect(files).toHaveLength(16);
    expect(files.map(({ field }) => field)).toEqual(new Array(16).fill('image'));
    expect(refusal(id, {}, [...many, image()])).toMatchObject({ param: 'image', code: 'invalid_request' });
    expect(refusal(id, {}, [image(50 * MEBIBYTE)])).toMatchObject({ param: 'image', code: 'invalid_request' });
  });

  it('the legacy model: one square PNG below 4 MB', () => {
    expect(edit(LEGACY, {}, [image(4 * MEBIBYTE - 1)]).files).toHaveLength(1);
    const refused = [
      [image(4 * MEBIBYTE)],
      [image(), image()],
      [image(1, { format: 'jpeg' })],
      [image(1, { format: 'webp' })],
      [image(1, { width: 65 })],
    ];
    for (const files of refused) expect(refusal(LEGACY, {}, files)).toMatchObject({ param: 'image' });
  });

  it.each([...BY_TOKENS, LEGACY])('%s: the mask is a PNG with alpha below 4 MB, as large as the first image', (id) => {
    const files = [image(), mask(4 * MEBIBYTE - 1)];
    expect(edit(id, {}, files).files.map(({ field }) => field)).toEqual(['image', 'mask']);
    expect(edit(id, {}, [...files].reverse()).files.map(({ field }) => field)).toEqual(['mask', 'image']);
    const masks = [mask(4 * MEBIBYTE), mask(1, { width: 63 }), mask(1, { height: 65 }), mask(1, { hasAlpha: false })];
    for (const wrong of [...masks, mask(1, { format: 'webp' }), unknown('mask')]) {
      expect(refusal(id, {}, [image(), wrong])).toMatchObject({ code: 'invalid_mask', param: 'mask' });
    }
    expect(refusal(id, {}, [...files, mask()])).toMatchObject({ code: 'invalid_request', param: 'mask' });
  });

  it('must be at least one image, and only images', () => {
    expect(refusal('gp-image-2', {}, [])).toMatchObject({ param: 'image' });
    expect(refusal('gp-image-2', {}, [mask()])).toMatchObject({ param: 'image' });
    expect(refusal('gp-image-2', {}, [image(), file('images')])).toMatchObject({ param: 'images' });
    expect(refusal('gp-image-2', {}, [unknown('image[]')])).toMatchObject({ param: 'image[]' });
  });
});

describe('the worst case of an edit', () => {
  it('of the legacy model counts images in the unit of their size', () => {
    expect(edit(LEGACY, { n: '10', size: '512x512' }).worstCase.units).toEqual({ image_512: 10 });
    expect(edit(LEGACY, {}).worstCase.units).toEqual({ image_1024: 1 });
  });

  it('of a model billed by tokens grows with images, references and quality, not with a mask', () => {
    const low = edit('gp-image-1', { quality: 'low', size: '1024x1024' }).worstCase.units;
    expect(low).toMatchObject({ input_image_token: 323, output_image_token: 272 });
    const more = edit('gp-image-1', { quality: 'high', size: '1024x1024', n: '10' }, [image(), image(), mask()]);
    expect(more.worstCase.units).toMatchObject({ input_image_token: 646, output_image_token: 41_600 });
  });
});
