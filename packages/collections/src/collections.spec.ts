import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Slab } from './slab.js';
import { SlabMap } from './slab-map.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('a slab', () => {
  it('gives a removed place to the next value', () => {
    const slab = new Slab<object>();
    const [first, second, third] = [{}, {}, {}];
    expect([slab.insert(first), slab.insert(second)]).toEqual([0, 1]);
    expect(slab.remove(0, second)).toBe(false);
    expect(slab.remove(0, first)).toBe(true);
    expect(slab.insert(third)).toBe(0);
    expect(slab.remove(0, first)).toBe(false);
    expect([...slab]).toEqual([third, second]);
    expect(slab.size).toBe(2);
  });

  it('may lose values while they are visited', () => {
    const slab = new Slab<object>();
    const values = [{}, {}, {}, {}];
    for (const value of values) slab.insert(value);
    const visited: object[] = [];
    for (const value of slab) {
      visited.push(value);
      const next = values.indexOf(value) + 1;
      slab.remove(next, values[next] ?? {});
    }
    expect(visited).toEqual([values[0], values[2]]);
  });
});

describe('a slab map', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key }),
    fc.record({ kind: fc.constant('delete' as const), key }),
    fc.record({ kind: fc.constant('clear' as const), key }),
  );

  it('is a map, whatever is set and deleted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [map, model] = [new SlabMap<object>(), new Map<string, object>()];
        for (const { kind, key } of steps) {
          const value = {};
          if (kind === 'set') {
            map.set(key, value);
            model.delete(key);
            model.set(key, value);
          } else if (kind === 'delete') expect(map.delete(key)).toBe(model.delete(key));
          else {
            map.clear();
            model.clear();
          }
          expect(map.size).toBe(model.size);
          expect(map.keys()).toEqual([...model.keys()]);
          expect(new Set(map.values())).toEqual(new Set(model.values()));
          expect(map.get(key)).toBe(model.get(key));
          expect(map.has(key)).toBe(model.has(key));
        }
      }),
    );
  });
});

describe('the memory of requests that have ended', () => {
  const AT_ONCE = 32;
  const ROUNDS = 400;
  const oldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN;
  const objects = (count: number) => Array.from({ length: count }, (_, part) => ({ part, of: [part] }));

  /** The most that minor collections moved to the old generation while requests came and went, those of a round together. */
  function promotedBytes(running: Pick<SlabMap<object>, 'set' | 'delete'>): number {
    collect();
    const before = oldBytes();
    let most = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let request = 0; request < AT_ONCE; request += 1) {
        running.set(`${round}-${request}`, objects(100));
        objects(400);
      }
      for (let request = 0; request < AT_ONCE; request += 1) running.delete(`${round}-${request}`);
      most = Math.max(most, oldBytes() - before);
    }
    return most;
  }

  it('is not moved to the old generation, as it is by a map', () => {
    const moved = promotedBytes(new SlabMap<object>());
    expect(moved).toBeLessThan(4 * 1_048_576);
    expect(promotedBytes(new Map<string, object>() as unknown as SlabMap<object>)).toBeGreaterThan(2 * moved);
  });
});
