import { expect, it } from '@jest/globals';
import type { Model } from '../../../api/models.js';
import { videoInput } from './video-body.js';

const model = (body: string, input: string) => ({ capabilities: { video: { body, input } } }) as unknown as Model;
const [A, B] = ['https://a.test/a.png', 'https://a.test/b.png'] as const;

it.each([
  ['wan-2.6', 't2v', [], { prompt: 'p' }],
  ['wan-2.6', 'i2v', [A], { prompt: 'p', img_url: A }],
  ['wan-2.6', 'r2v', [A, B], { prompt: 'p', reference_urls: [A, B] }],
  ['wan-2.7', 'i2v', [A], { prompt: 'p', media: [{ type: 'first_frame', url: A }] }],
  ['happyhorse', 'r2v', [A], { prompt: 'p', media: [{ type: 'reference_image', url: A }] }],
  [
    'seedance',
    'any',
    [A, B],
    {
      content: [
        { type: 'text', text: 'p' },
        { type: 'image_url', image_url: { url: A }, role: 'reference_image' },
        { type: 'image_url', image_url: { url: B }, role: 'reference_image' },
      ],
    },
  ],
  ['grok', 'any', [A], { prompt: 'p', image: { url: A } }],
  ['grok', 'any', [A, B], { prompt: 'p', reference_images: [{ url: A }, { url: B }] }],
])('writes the input of %s %s', (body, input, images, expected) => {
  expect(videoInput(model(body, input), { prompt: 'p', images })).toEqual(expected);
});
