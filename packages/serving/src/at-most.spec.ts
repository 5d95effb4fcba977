import { describe, expect, it } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.js';

describe('atMost', () => {
  it('keeps the entries that were used last', () => {
    const cache = new LRUCache<string, number>(atMost(2));
    cache.set('a', 1).set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([...cache.keys()].sort()).toEqual(['a', 'c']);
  });
});
