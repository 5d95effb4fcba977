import type { StoredObject } from '@gateway/contracts';
import type { ResultSource } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import type { StoredFiles } from '../../files/stored-files.service.js';
import type { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { keyOf } from '../../test-support/task-reader-in-memory.js';
import { FetchedFiles } from './fetched-files.service.js';

const KEPT = { id: 'file-a', bytes: 8 } as StoredObject;
const PENDING: ResultSource = { sourceUrl: 'https://vendor.example/a.mp4', isLeft: false };
const LEFT: ResultSource = { ...PENDING, isLeft: true };

/** `found`: what each look finds. The last one stays. */
async function locate(found: readonly (StoredObject | ResultSource)[], signal = new AbortController().signal) {
  let looks = 0;
  const files = {
    locate: async () => found[Math.min(looks++, found.length - 1)],
  } as unknown as StoredFiles;
  const waits = {
    runOrNow: (_reply: FastifyReply, wait: (given: AbortSignal) => unknown) => wait(signal),
  } as unknown as OpenWaits;
  const located = await new FetchedFiles(files, waits).locate(keyOf(), 'file-a', {} as FastifyReply);
  return { located, looks };
}

describe('a file that is fetched from its vendor', () => {
  it('is found at once if it is kept, or stays with its vendor', async () => {
    expect(await locate([KEPT])).toEqual({ located: KEPT, looks: 1 });
    expect(await locate([LEFT])).toEqual({ located: LEFT, looks: 1 });
  });

  it('is waited for while its fetch goes on', async () => {
    expect(await locate([PENDING, PENDING, KEPT])).toEqual({ located: KEPT, looks: 3 });
  });

  it('is with its vendor for a client that waits no longer', async () => {
    expect(await locate([PENDING], AbortSignal.abort())).toEqual({ located: PENDING, looks: 1 });
  });
});
