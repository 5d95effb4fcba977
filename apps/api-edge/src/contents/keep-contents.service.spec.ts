import type { Logger } from '@gateway/observability';
import type { ContentWriter } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { ValidRequest } from '../edge-request.js';
import type { EdgeMetrics } from '../observability/metrics.js';
import { validRequest } from '../test-support/edge-fakes.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { KeepContents } from './keep-contents.service.js';

type Keep = ContentWriter['keep'];

function setUp({ keep = async () => true, isFull = false }: { keep?: Keep; isFull?: boolean } = {}) {
  const kept: Parameters<Keep>[] = [];
  const outcomes: string[] = [];
  const writer = {
    keep: async (...args: Parameters<Keep>) => {
      kept.push(args);
      return keep(...args);
    },
  } as ContentWriter;
  const metrics = { keptContents: { inc: ({ outcome }: { outcome: string }) => outcomes.push(outcome) } };
  const logger = { warn: () => undefined } as unknown as Logger;
  const service = new KeepContents(writer, { has: () => isFull }, metrics as unknown as EdgeMetrics, logger);
  return { service, kept, outcomes };
}

const key = { ...keyOf(), keepsContents: true as const };
const request = (fields: Partial<ValidRequest> = {}) => validRequest({ caller: { key }, ...fields });

async function run({ service }: ReturnType<typeof setUp>, valid: ValidRequest): Promise<void> {
  const observer = service.observe(valid);
  observer?.head({ status: 200, headers: { 'content-type': 'application/json' } });
  observer?.data(Buffer.from('{"a":1}'));
  observer?.complete();
  observer?.end();
  await service.drain(60_000);
}

describe('KeepContents', () => {
  it('observes nothing of a key that does not ask for it', () => {
    expect(setUp().service.observe(validRequest())).toBeUndefined();
  });

  it('keeps the client’s bytes and the response, under the account and the key', async () => {
    const set = setUp();
    await run(set, request({ clientBody: Buffer.from('{"mine":1}') }));
    const json = { contentType: 'application/json', isTruncated: false };
    expect(set.kept).toEqual([
      [
        { accountId: key.accountId, keyId: key.keyId, requestId: request().requestId },
        {
          request: { ...json, bytes: Buffer.from('{"mine":1}') },
          response: { ...json, bytes: Buffer.from('{"a":1}') },
          isResult: false,
          isComplete: true,
        },
      ],
    ]);
    expect(set.outcomes).toEqual(['kept']);
  });

  it('keeps nothing of a form whose files are on disk but its response', async () => {
    const set = setUp();
    await run(set, request({ body: { bytes: 1, read: () => [] as never } }));
    expect(set.kept[0]?.[1]).toMatchObject({ request: null, response: { bytes: Buffer.from('{"a":1}') } });
  });

  it('keeps nothing for an account that keeps as much as it may', async () => {
    const set = setUp({ isFull: true });
    await run(set, request());
    expect([set.kept, set.outcomes]).toEqual([[], ['full']]);
  });

  it('counts what the database refuses or loses, and never rejects', async () => {
    const refused = setUp({ keep: async () => false });
    await run(refused, request());
    expect(refused.outcomes).toEqual(['refused']);
    const lost = setUp({ keep: () => Promise.reject(new Error('away')) });
    await run(lost, request());
    expect(lost.outcomes).toEqual(['lost']);
  });

  it('counts prompts too while the database is slow, and gives the room back', async () => {
    const waiting: (() => void)[] = [];
    const keep = () => new Promise<boolean>((resolve) => waiting.push(() => resolve(true)));
    const set = setUp({ keep });
    const long = request({ clientBody: Buffer.alloc(3 * 1024 * 1024) });
    const ends = Array.from({ length: 70 }, () => run(set, long));
    // Room for 64 MiB: a mebibyte of each prompt, and a few bytes of each response.
    expect([waiting.length, set.outcomes]).toEqual([63, Array.from({ length: 7 }, () => 'lost')]);
    expect(set.kept[0]?.[1].request?.bytes.buffer.byteLength).toBe(1024 * 1024);
    for (const resolve of waiting.splice(0)) resolve();
    await Promise.all(ends);
    const after = run(set, long);
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    await after;
  });
});
