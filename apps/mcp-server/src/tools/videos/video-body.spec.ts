import { describe, expect, it } from '@jest/globals';
import { videoBody } from './video-body.js';

const FRAME = 'https://a.example/frame.png';
const [ONE, TWO] = ['https://a.example/1.png', 'https://a.example/2.png'] as const;

describe('videoBody', () => {
  it.each([
    ['wn2.7-t2v', { prompt: 'A ferry' }, { prompt: 'A ferry' }],
    [
      'wn2.7-i2v',
      { prompt: 'A ferry', first_frame_url: FRAME },
      { prompt: 'A ferry', media: [{ type: 'first_frame', url: FRAME }] },
    ],
    [
      'wn2.7-r2v',
      { prompt: 'A ferry', reference_urls: [ONE, TWO] },
      {
        prompt: 'A ferry',
        media: [
          { type: 'reference_image', url: ONE },
          { type: 'reference_image', url: TWO },
        ],
      },
    ],
    ['wn2.6-i2v', { prompt: 'A ferry', first_frame_url: FRAME }, { prompt: 'A ferry', img_url: FRAME }],
    ['wn2.6-r2v', { prompt: 'A ferry', reference_urls: [ONE] }, { prompt: 'A ferry', reference_urls: [ONE] }],
    [
      'happyhorse-1.1-r2v',
      { prompt: 'A ferry', reference_urls: [ONE] },
      { prompt: 'A ferry', media: [{ type: 'reference_image', url: ONE }] },
    ],
    [
      'grok-imagine-video',
      { prompt: 'A ferry', first_frame_url: FRAME, reference_urls: [ONE] },
      { prompt: 'A ferry', image: { url: FRAME }, reference_images: [{ url: ONE }] },
    ],
    ['wn2.7-t2v', { input: { prompt: 'Its own' }, prompt: 'Not this' }, { prompt: 'Its own' }],
    ['no-model', { prompt: 'A ferry' }, { prompt: 'A ferry' }],
  ])('builds the input for %s from %j', (model, videoInput, input) => {
    expect(videoBody({ model, duration: 5, ...videoInput })).toEqual({ model, duration: 5, input });
  });

  it('builds content for seedance', () => {
    const videoInput = { prompt: 'A ferry', first_frame_url: FRAME, reference_urls: [ONE] };
    expect(videoBody({ model: 'seedance-1.0-pro', ...videoInput }).input).toEqual({
      content: [
        { type: 'text', text: 'A ferry' },
        { type: 'image_url', image_url: { url: FRAME }, role: 'first_frame' },
        { type: 'image_url', image_url: { url: ONE }, role: 'reference_image' },
      ],
    });
  });

  it('drops wait and wait_timeout', () => {
    expect(videoBody({ model: 'wn2.7-t2v', prompt: 'x', wait: true, wait_timeout: 9 })).toEqual({
      model: 'wn2.7-t2v',
      input: { prompt: 'x' },
    });
  });

  it.each([
    [{ prompt: 5 }, "'prompt'"],
    [{ first_frame_url: {} }, "'first_frame_url'"],
    [{ reference_urls: ONE }, "'reference_urls'"],
  ])('rejects %j', (videoInput, message) => {
    expect(() => videoBody({ model: 'wn2.7-t2v', ...videoInput })).toThrow(message);
  });
});
