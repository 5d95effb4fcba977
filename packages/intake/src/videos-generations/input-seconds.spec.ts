import { chargeInputSeconds, findModel, withCapability } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { validateVideoRequest } from './validate-video-request.js';

const modelOf = (id: string) => {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return model;
};

const clip = { type: 'reference_video', url: 'https://a.example/v.mp4' };
const image = { type: 'reference_image', url: 'https://a.example/i.png' };

function heldUnits(id: string, media: unknown, { duration = 5, isCharged = true } = {}) {
  const model = isCharged ? chargeInputSeconds(modelOf(id)) : modelOf(id);
  const body = { model: id, duration, resolution: '720p', input: { prompt: 'A boat', media } };
  return validateVideoRequest(body, withCapability(model, 'video')).worstCase.units;
}

describe('the held input seconds of a video', () => {
  it.each([
    ['30 for each reference video of Wan 2.7', 'wn2.7-r2v', [clip, image, clip], 5, 60],
    ["at most the vendor's five of them", 'wn2.7-r2v', Array(9).fill(clip), 5, 150],
    ['15 for all videos of Wan 3.0', 'wn3.0-video', [clip, clip], 5, 15],
    ['what the output leaves of 30 seconds of Wan 3.0', 'wn3.0-video', [clip], 20, 10],
    ['the same for an entry of an unknown type', 'wn3.0-video', [{ type: 'Reference_Video' }], 5, 15],
    ['the same for an entry that is no object', 'wn3.0-video', 'https://a.example/v.mp4', 5, 15],
  ])('are %s', (_case, id, media, duration, seconds) => {
    expect(heldUnits(id, media, { duration })).toEqual({ second_720p: duration, input_second_720p: seconds });
  });

  it.each([
    ['images alone', [image]],
    ['no media', undefined],
  ])('are none for %s', (_case, media) => {
    expect(heldUnits('wn2.7-r2v', media)).toEqual({ second_720p: 5 });
  });

  it('are none where the operator does not charge them, or where nothing is left beside the output', () => {
    expect(heldUnits('wn2.7-r2v', [clip], { isCharged: false })).toEqual({ second_720p: 5 });
    expect(heldUnits('wn3.0-video', [clip], { duration: 30 })).toEqual({ second_720p: 30 });
  });
});
