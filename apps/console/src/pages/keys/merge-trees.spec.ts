import { describe, expect, it } from '@jest/globals';
import type { KeyTree } from '../../api/keys.js';
import { mergeTrees } from './merge-trees.js';

const node = (id: string, day: number, children: readonly KeyTree[] = [], state = 'revoked') =>
  ({ id, state, created_at: `2026-05-0${day}T12:00:00.000Z`, children }) as KeyTree;

/** The ids of a tree in its order: `a(b c)`. */
const idsOf = ({ id, children }: KeyTree): string =>
  children.length === 0 ? id : `${id}(${children.map(idsOf).join(' ')})`;

describe('mergeTrees', () => {
  it('adds the older keys of a later page below the newer ones, also below keys that both have', () => {
    const first = node('root', 1, [node('a', 2, [node('a5', 5)]), node('c', 8)]);
    const second = node('root', 1, [node('a', 2, [node('a3', 3)]), node('b', 7)]);
    expect(idsOf(mergeTrees(mergeTrees(undefined, first), second))).toBe('root(c b a(a5 a3))');
  });

  it('begins with the keys that can still spend', () => {
    const page = node('root', 1, [node('old', 2), node('running', 3, [], 'active'), node('new', 4)]);
    expect(idsOf(mergeTrees(undefined, page))).toBe('root(running new old)');
  });
});
