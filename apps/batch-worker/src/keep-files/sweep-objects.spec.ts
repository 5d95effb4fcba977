import { createLogger, createMetrics } from '@gateway/observability';
import type { FetchedResults, StoredObjects } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import { describe, expect, it } from '@jest/globals';
import { sweepMetrics } from './sweep-metrics.js';
import { SweepObjects } from './sweep-objects.service.js';

const RUNNING = new AbortController().signal;

/** A store with these hidden files and pending objects, of which some cannot be deleted. */
function sweeping(hiddenIds: string[], stuck: readonly string[] = [], pendingKeys: readonly string[] = []) {
  const hidden = new Set(hiddenIds);
  const pending = new Set(pendingKeys);
  const taken = new Set<string>();
  const deleted: string[] = [];
  let reads = 0;
  const objects = {
    hideExpired: async () => 0,
    hidden: async (limit: number) => {
      reads += 1;
      return [...hidden].slice(0, limit);
    },
    remove: async (ids: readonly string[]) => {
      for (const id of ids) hidden.delete(id);
      return ids.length;
    },
    takePending: async (limit: number) => {
      const due = [...pending].filter((key) => !taken.has(key)).slice(0, limit);
      for (const key of due) taken.add(key);
      return due;
    },
    removePending: async (keys: readonly string[]) => {
      for (const key of keys) pending.delete(key);
      return keys.length;
    },
  } as unknown as StoredObjects;
  const store = {
    delete: async (key: string) => {
      if (stuck.some((id) => key.endsWith(id))) throw new Error('away');
      deleted.push(key);
    },
  } as unknown as ObjectStore;
  const results = { removeOld: async () => 0 } as unknown as FetchedResults;
  const metrics = sweepMetrics(createMetrics('batch-worker'));
  const logger = createLogger({ service: 'batch-worker', level: 'silent' });
  const sweep = new SweepObjects(objects, results, store, metrics, logger);
  const count = async (step: string) =>
    (await metrics.swept.get()).values.find(({ labels }) => labels.step === step)?.value;
  return { sweep: () => sweep.sweep(RUNNING), hidden, pending, deleted, count, reads: () => reads };
}

describe('the sweep of files', () => {
  it('deletes bytes before rows, batch by batch', async () => {
    const { sweep, hidden, deleted, count } = sweeping(Array.from({ length: 450 }, (_, index) => `file-${index}`));
    await sweep();
    expect([hidden.size, deleted.length, await count('deleted')]).toEqual([0, 450, 450]);
  });

  it('keeps the rows of bytes that remain, and ends the round', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `file-${index}`);
    const { sweep, hidden, count, reads } = sweeping(ids, ['file-7']);
    await sweep();
    expect(hidden.has('file-7')).toBe(true);
    expect([hidden.size, await count('failed'), reads()]).toEqual([51, 1, 1]);
  });

  it('deletes objects whose writer died, and keeps the rows of those that remain', async () => {
    const keys = Array.from({ length: 250 }, (_, index) => `batches/b/${index}`);
    const { sweep, pending, deleted } = sweeping([], ['b/207'], keys);
    await sweep();
    expect([...pending]).toEqual(['batches/b/207']);
    expect(deleted).toHaveLength(249);
  });
});
