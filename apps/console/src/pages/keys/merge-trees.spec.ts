import { describe, expect, it } from '@jest/globals';
import type { KeyTree } from '../../api/keys.js';
import { mergeTrees } from './merge-trees.js';

const node = (id: string, children: readonly KeyTree[] = []) => ({ id, children }) as KeyTree;

describe('mergeTrees', () => {
  it('adds the keys of a later page, also below keys that both have', () => {
    const first = node('root', [node('a', [node('a2')]), node('c')]);
    const second = node('root', [node('a', [node('a1')]), node('b')]);
    expect(mergeTrees(first, second)).toEqual(
      node('root', [node('a', [node('a2'), node('a1')]), node('c'), node('b')]),
    );
  });

  it('begins with the first page', () => {
    expect(mergeTrees(undefined, node('root'))).toEqual(node('root'));
  });
});
