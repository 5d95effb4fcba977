import { expect, it } from '@jest/globals';
import { BoundedLabel } from './bounded-label.js';

it('shows the first values of a label, and all others as one', () => {
  const label = new BoundedLabel(2);
  expect(['a', 'b', 'a', 'c', 'd', 'b'].map((value) => label.of(value))).toEqual([
    'a',
    'b',
    'a',
    'other',
    'other',
    'b',
  ]);
});
