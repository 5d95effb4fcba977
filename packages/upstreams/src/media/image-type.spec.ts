import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';
import { imageTypeOf } from './image-type.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex').toString('base64');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64');
const GIF = Buffer.from('GIF89a').toString('base64');
const WEBP = Buffer.from('RIFF\x24\x00\x00\x00WEBPVP8 ').toString('base64');
const WAVE = Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt ').toString('base64');

it.each([
  [PNG, 'image/jpeg', 'image/png'],
  [JPEG, 'image/jpg', 'image/jpeg'],
  [JPEG, 'application/octet-stream', 'image/jpeg'],
  [GIF, undefined, 'image/gif'],
  [WEBP, 'image/png', 'image/webp'],
  [WAVE, 'image/tiff', 'image/tiff'],
  ['AAAA', 'image/jpg', 'image/jpeg'],
  ['AAAA', 'image/heic', 'image/heic'],
])('%s, declared as %s, is %s', (base64, declared, type) => {
  expect(imageTypeOf(base64, declared)).toBe(type);
});

describe.each([
  ['anthropic-messages', 'cl-sonnet-4-6', '"media_type":"image/png"'],
  ['gemini-generate', 'gm-2.5-pro', '"mimeType":"image/png"'],
] as const)('an image to %s', (protocol, model, expected) => {
  it('has the type of its bytes', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/jpg;base64,${PNG}` } };
    const call = callOf({ model, messages: [{ role: 'user', content: [image] }] });
    expect(String(CHAT_ADAPTERS[protocol].buildRequest(call, targetOf(model)).body)).toContain(expected);
  });
});
