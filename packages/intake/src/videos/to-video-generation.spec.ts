import { MODELS as CATALOGUE, type ModelWithCapability, withCapability } from '@gateway/catalogue';
import { type GatewayError, isGatewayError, videoCreation } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { sizeFor } from '../videos-generations/sizes.js';
import { validateVideoRequest } from '../videos-generations/validate-video-request.js';
import { parsePixelSize, pixelSizeOf, pixelSizesOf } from './pixel-sizes.js';
import { inClientNames, toVideoGeneration } from './to-video-generation.js';

const IMAGE = 'data:image/png;base64,AAAA';

const MODELS = CATALOGUE.filter(({ video }) => video !== undefined).map((model) => withCapability(model, 'video'));

function modelOf(id: string): ModelWithCapability<'video'> {
  const model = MODELS.find((one) => one.id === id);
  if (model === undefined) throw new Error(`the catalogue has no video model ${id}`);
  return model;
}

function refusalOf(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (isGatewayError(error)) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

const bodyOf = (id: string, more: object = {}, image?: string) =>
  toVideoGeneration(videoCreation.parse({ model: id, prompt: 'A boat', ...more }), image, modelOf(id));

const isMade = ({ video: { traits } }: ModelWithCapability<'video'>, size: string): boolean => {
  const known = parsePixelSize(size, traits);
  const takesSize = traits.bodyFormat === 'wan-2.6' && traits.mode !== 'i2v';
  return known !== undefined && (!takesSize || sizeFor(known.resolution, known.aspectRatio) !== undefined);
};

describe('a video of each model', () => {
  it.each(MODELS.map((model) => [model.id, model] as const))(
    'of %s is valid in its family, in each size',
    (id, model) => {
      const image = model.video.traits.mode === 't2v' ? undefined : IMAGE;
      const { durations } = model.video.traits;
      const seconds = String('least' in durations ? durations.least : durations[0]);
      for (const size of pixelSizesOf(model.video.traits)) {
        const body = bodyOf(id, { seconds, size }, image);
        // Wan 2.6 and older have no 4:3 in 480p.
        if (!isMade(model, size)) {
          expect(refusalOf(() => validateVideoRequest(body, model)).code).toBe('unsupported_value');
          continue;
        }
        const { submission } = validateVideoRequest(body, model);
        expect({ id, size: pixelSizeOf(submission) }).toEqual({ id, size });
      }
    },
  );
});

describe('the reference', () => {
  it.each([
    ['wn2.6-i2v', { prompt: 'A boat', img_url: IMAGE }],
    ['wn2.6-r2v', { prompt: 'A boat', reference_urls: [IMAGE] }],
    ['wn2.7-i2v', { prompt: 'A boat', media: [{ type: 'first_frame', url: IMAGE }] }],
    ['wn2.7-r2v', { prompt: 'A boat', media: [{ type: 'reference_image', url: IMAGE }] }],
    ['grok-imagine-video', { prompt: 'A boat', image: { url: IMAGE } }],
    [
      'seedance-2.0',
      {
        content: [
          { type: 'text', text: 'A boat' },
          { type: 'image_url', image_url: { url: IMAGE }, role: 'first_frame' },
        ],
      },
    ],
  ])('is what %s takes', (id, input) => {
    expect(bodyOf(id, {}, IMAGE)).toEqual({ model: id, input });
  });

  it.each([
    ['wn2.6-t2v', IMAGE, 'unsupported_parameter'],
    ['wn2.6-i2v', undefined, 'invalid_request'],
    ['happyhorse-1.1-r2v', undefined, 'invalid_request'],
  ])('of %s is refused by name if it does not fit', (id, image, code) => {
    expect(refusalOf(() => bodyOf(id, {}, image))).toMatchObject({ code, details: { param: 'input_reference' } });
  });

  it('may stand in the model’s own input', () => {
    const input = { img_url: 'https://example.com/a.png', audio_url: 'https://example.com/a.mp3' };
    expect(bodyOf('wn2.6-i2v', { input }).input).toEqual({ prompt: 'A boat', ...input });
  });
});

describe('seconds and size', () => {
  it.each([
    ['5', 5],
    [5, 5],
    ['12', 12],
  ])('%j are %j', (seconds, duration) => {
    expect(bodyOf('seedance-2.0', { seconds })).toMatchObject({ duration });
  });

  it.each(['0', '4.5', '-1', 'five', '', 0, 2.5, true])('refuse %j by name', (seconds) => {
    const parsed = videoCreation.safeParse({ model: 'seedance-2.0', prompt: 'A boat', seconds });
    expect(parsed.error?.issues[0]).toMatchObject({ path: ['seconds'] });
  });

  it.each([
    ['1280x720', '720p', '16:9'],
    ['720x1280', '720p', '9:16'],
    ['1280*720', '720p', '16:9'],
    ['864x496', '480p', '16:9'],
    ['960x960', '720p', '1:1'],
    ['720x720', '720p', '1:1'],
    ['1920x1088', '1080p', '16:9'],
    ['3840x2160', '4k', '16:9'],
  ])('%s is %s in %s', (size, resolution, aspectRatio) => {
    const { traits } = modelOf('seedance-2.0').video;
    expect(parsePixelSize(size, traits)).toEqual({ resolution, aspectRatio });
  });

  it.each(['1792x1024', '720p', '1280x', 'x720', '1x1', '1280x720x3', '99999x99999'])('refuse the size %s', (size) => {
    expect(refusalOf(() => bodyOf('wn2.7-t2v', { size }))).toMatchObject({
      code: 'unsupported_value',
      details: { param: 'size' },
    });
  });

  it('name a refused length as the client does', () => {
    const model = modelOf('wn2.5-t2v-preview');
    const refusal = inClientNames(refusalOf(() => validateVideoRequest(bodyOf(model.id, { seconds: '4' }), model)));
    expect(refusal.details.param).toBe('seconds');
    expect(refusal.message).toBe("'seconds': wn2.5-t2v-preview does not support 4: expected 5 or 10 seconds.");
  });
});

it('shows the resolution where the vendor chooses the ratio', () => {
  expect(pixelSizeOf({ resolution: '720p', aspectRatio: 'adaptive' })).toBe('720p');
});
