import { describe, expect, it } from '@jest/globals';
import { editImage } from './edit-image.js';

const requestOf = (image: string) => editImage.later?.requestOf({ model: 'gp-image-2', prompt: 'x', images: [image] });

describe('edit_image', () => {
  it.each(['aGVsbG8=', 'aGVs\nbG8=\n', ' aGVsbG9v ', 'data:image/png;base64,aGVsbG8='])(
    'takes the image %j',
    async (image) => {
      const sent = await requestOf(image);
      expect([sent?.method, sent?.encoded?.bytes.byteLength]).toEqual(['POST', expect.any(Number)]);
    },
  );

  it.each(['', '=', 'a===', 'a=b', 'a!', 'https://example.com/a.png', 'data:image/png;base64,'])(
    'refuses the image %j',
    async (image) => {
      await expect(requestOf(image)).rejects.toThrow('images[0]');
    },
  );

  // An expression that tries every place again would take hours.
  it('refuses megabytes of blanks in one pass', async () => {
    await expect(requestOf(`${' '.repeat(8_000_000)}!`)).rejects.toThrow('images[0]');
    await expect(requestOf(`a=${' '.repeat(8_000_000)}!`)).rejects.toThrow('images[0]');
  });
});
