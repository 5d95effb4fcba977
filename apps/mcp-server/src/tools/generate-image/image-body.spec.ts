import { describe, expect, it } from '@jest/globals';
import { ToolFailure } from '../../tool-failure.js';
import { imageBody } from './image-body.js';

const ADDRESS = 'https://a.example/1.png';
const DATA = 'data:image/png;base64,AAAA';

describe('imageBody', () => {
  it.each([
    [
      'qn',
      {
        model: 'qn-image-edit',
        prompt: 'bluer',
        reference_images: [ADDRESS],
        size: '1024x1024',
        seed: 7,
        watermark: true,
      },
      {
        model: 'qn-image-edit',
        input: { messages: [{ role: 'user', content: [{ image: ADDRESS }, { text: 'bluer' }] }] },
        parameters: { size: '1024*1024', seed: 7, watermark: true },
      },
    ],
    [
      'qn with its own fields',
      { model: 'qn-image-2.0', input: { messages: [] }, parameters: { n: 1 }, unknown: 5 },
      { model: 'qn-image-2.0', input: { messages: [] }, parameters: { n: 1 }, unknown: 5 },
    ],
    [
      'gm from a text',
      { model: 'gm-2.5-flash-image', prompt: 'a cat' },
      { model: 'gm-2.5-flash-image', input: 'a cat' },
    ],
    [
      'gm from an image',
      { model: 'gm-2.5-flash-image', prompt: 'at night', reference_images: [DATA], size: '2K', aspect_ratio: '16:9' },
      {
        model: 'gm-2.5-flash-image',
        input: [
          { type: 'text', text: 'at night' },
          { type: 'image', mime_type: 'image/png', data: 'AAAA' },
        ],
        response_format: { type: 'image', image_size: '2K', aspect_ratio: '16:9' },
      },
    ],
    [
      'gm from an earlier interaction',
      {
        model: 'gm-2.5-flash-image',
        prompt: 'a moon',
        previous_interaction_id: 'v1_x',
        response_format: { type: 'image' },
      },
      {
        model: 'gm-2.5-flash-image',
        input: 'a moon',
        previous_interaction_id: 'v1_x',
        response_format: { type: 'image' },
      },
    ],
    [
      'gp',
      { model: 'gp-image-2', prompt: 'a cat', n: 2, size: '1024x1024', stream: true, partial_images: 2 },
      { model: 'gp-image-2', prompt: 'a cat', n: 2, size: '1024x1024' },
    ],
    [
      'seedream',
      { model: 'seedream-4.5', prompt: 'a cat', reference_images: [ADDRESS, DATA], size: '2K' },
      { model: 'seedream-4.5', prompt: 'a cat', response_format: 'b64_json', size: '2K', image: [ADDRESS, DATA] },
    ],
    [
      'grok',
      {
        model: 'grok-imagine-image-2.0',
        prompt: 'a cat',
        reference_images: [ADDRESS],
        size: '2K',
        response_format: 'url',
      },
      {
        model: 'grok-imagine-image-2.0',
        prompt: 'a cat',
        response_format: 'url',
        resolution: '2k',
        images: [{ url: ADDRESS }],
      },
    ],
    ['an unknown model', { model: 'imagine', prompt: 'a cat' }, { model: 'imagine', prompt: 'a cat' }],
    ['no model', { prompt: 'a cat' }, { prompt: 'a cat' }],
  ])('builds the body for %s', (_, args, body) => {
    expect(imageBody(args)).toEqual(body);
  });

  it.each([
    [
      'references for a model without references',
      { model: 'gp-image-2', prompt: 'x', reference_images: [ADDRESS] },
      'edit_image',
    ],
    [
      'an address where only data URIs are accepted',
      { model: 'gm-2.5-flash-image', prompt: 'x', reference_images: [ADDRESS] },
      'data URIs',
    ],
    [
      'references that are not a list',
      { model: 'seedream-4.5', prompt: 'x', reference_images: ADDRESS },
      'expected a list',
    ],
    ['a prompt that is not a string', { model: 'gp-image-2', prompt: 5 }, "'prompt': expected a string"],
  ])('rejects %s', (_, args, message) => {
    expect(() => imageBody(args)).toThrow(ToolFailure);
    expect(() => imageBody(args)).toThrow(message);
  });
});
