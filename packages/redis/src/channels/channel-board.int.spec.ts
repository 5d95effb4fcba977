import type { ChannelControl, ProcessReport } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { ChannelBoard } from './channel-board.js';
import { ChannelSync } from './channel-sync.js';

const PAUSED: ChannelControl = { channelId: 'openai-1', state: 'paused', weight: null };
const silent = { warn: () => undefined } as unknown as Logger;

let test: TestRedis;
let board: ChannelBoard;

beforeAll(async () => {
  test = await TestRedis.open();
  board = new ChannelBoard(test.redis, test.keys);
});

afterAll(() => test.close());

const report = (processId: string, atMs: number): ProcessReport => ({
  processId,
  service: 'sync-worker',
  host: 'h',
  startedAtMs: 0,
  atMs,
  channels: [],
  slots: [],
});

function aSync() {
  const applied: (readonly ChannelControl[])[] = [];
  const channels = { report: () => [], control: (controls: readonly ChannelControl[]) => void applied.push(controls) };
  return { applied, sync: new ChannelSync({ service: 'sync-worker', board, channels, logger: silent }) };
}

describe('ChannelBoard', () => {
  it('lists the processes that have reported lately, and forgets the others', async () => {
    for (const [id, atMs] of [
      ['new', 100_000],
      ['late', 85_000],
      ['gone', 30_000],
    ] as const) {
      await board.report(report(id, atMs));
    }
    await test.redis.hset(test.keys.processReports, 'other release', '{"processId": 1}');
    expect((await board.processes(100_000)).map(({ processId }) => processId)).toEqual(['new']);
    expect((await test.redis.hkeys(test.keys.processReports)).sort()).toEqual(['late', 'new']);
    await board.leave('new');
    expect(await board.processes(100_000)).toEqual([]);
  });

  it('keeps the known controls of a process while Redis has lost them', async () => {
    const { applied, sync } = aSync();
    await board.publishControls([PAUSED]);
    await sync.exchange();
    await test.lose();
    await sync.exchange();
    expect(applied).toEqual([[PAUSED]]);
    await board.publishControls([]);
    await sync.exchange();
    expect(applied).toEqual([[PAUSED], []]);
    expect(await board.processes()).toHaveLength(1);
    await sync.stop();
    expect(await board.processes()).toEqual([]);
  });
});
