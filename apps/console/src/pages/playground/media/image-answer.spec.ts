import { expect, it } from '@jest/globals';
import { imagesOf } from './image-answer.js';

it('knows the format of bytes by their beginning, and takes addresses', () => {
  const data = [
    { b64_json: 'iVBORw0K' },
    { b64_json: '/9j/4AAQ' },
    { b64_json: 'UklGRg' },
    { url: 'https://a.test/b' },
    {},
  ];
  expect(imagesOf({ data }).map(({ src, fileName }) => [src.slice(0, 22), fileName])).toEqual([
    ['data:image/png;base64,', 'image-1.png'],
    ['data:image/jpeg;base64', 'image-2.jpeg'],
    ['data:image/webp;base64', 'image-3.webp'],
    ['https://a.test/b', 'image-4.png'],
  ]);
  expect(imagesOf('no object')).toEqual([]);
});
