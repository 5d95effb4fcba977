import { expect, it } from '@jest/globals';
import { shorten } from './shorten.js';

it('leaves out the middle of long data only', () => {
  const data = 'A'.repeat(5_000);
  expect(shorten(`url: 'data:image/png;base64,${data}', text: 'short'`)).toBe(
    `url: 'data:image/png;base64,${'A'.repeat(40)}…', text: 'short'`,
  );
  const prose = 'words and words '.repeat(200);
  expect(shorten(prose)).toBe(prose);
});
