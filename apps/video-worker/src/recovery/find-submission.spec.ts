import type { TaskReading } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import type { FoundTask, VideoProtocol } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import type { TaskChannel } from '../task/task-channels.js';
import { CHANNEL, fake, NOW_MS, RUNNING, task } from '../test-support/fakes.js';
import type { FetchStatus, StatusResult } from '../upstream/fetch-status.service.js';
import type { UpstreamClient } from '../upstream/upstream-client.service.js';
import { FindSubmission } from './find-submission.service.js';

type Find = NonNullable<VideoProtocol['find']>;

const SUBMITTED_AT_MS = NOW_MS - 10_000;
const lost = (changes: Partial<WorkerVideoTask> = {}) =>
  task({ upstreamCalledAtMs: SUBMITTED_AT_MS, upstreamTaskId: null, ...changes });
const listedTask = (id: string, submittedAtMs = SUBMITTED_AT_MS): FoundTask => ({ upstreamTaskId: id, submittedAtMs });

interface World {
  readonly listed?: readonly FoundTask[];
  readonly listStatus?: number | Error;
  /** Upstream ids that belong to tasks here. */
  readonly known?: readonly string[];
  readonly rivals?: number;
  /** The prompt of each upstream task; the protocol reports none if undefined. */
  readonly prompts?: Readonly<Record<string, string | undefined>>;
  readonly hasNoList?: true;
}

function find(seen: WorkerVideoTask, world: World) {
  const { listed = [], listStatus = 200, known = [], rivals = 0, prompts } = world;
  const finder: Find = {
    build: () => ({ method: 'GET', url: 'http://upstream/tasks', headers: {}, body: undefined }),
    read: () => listed,
    ...(prompts !== undefined && { promptOf: (native: unknown) => (native as { prompt?: string }).prompt }),
  } as unknown as Find;
  const channel = { ...CHANNEL, protocol: world.hasNoList ? {} : { find: finder } } as TaskChannel;
  const status = async (id: string): Promise<StatusResult> =>
    prompts !== undefined && id in prompts
      ? { kind: 'reading', reading: { state: 'running', native: { prompt: prompts[id] } } as unknown as TaskReading }
      : { kind: 'failed', code: 'x' };
  const finding = new FindSubmission(
    fake<UpstreamClient>({
      send: async () => {
        if (listStatus instanceof Error) throw listStatus;
        return { status: listStatus, headers: {}, body: Buffer.of() };
      },
    }),
    fake<FetchStatus>({ fetch: status }),
    fake<TaskStore>({ knownUpstreamTasks: async () => new Set(known), rivalSubmissions: async () => rivals }),
    { submitTimeoutMs: 60_000, pollTimeoutMs: 15_000 },
  );
  return finding.find(seen, channel, RUNNING);
}

const many = (count: number) => Array.from({ length: count }, (_, index) => listedTask(`up-${index}`));

describe('FindSubmission', () => {
  it('finds the only task of the time window that belongs to no other task', async () => {
    const listed = [listedTask('mine'), listedTask('known'), listedTask('early', SUBMITTED_AT_MS - 30_001)];
    expect(await find(lost(), { listed, known: ['known'] })).toEqual({ kind: 'found', upstreamTaskId: 'mine' });
  });

  it.each<[string, World, string]>([
    ['has no list', { hasNoList: true }, 'unlisted'],
    ['lists nothing', {}, 'absent'],
    ['lists only tasks of other submissions', { listed: [listedTask('known')], known: ['known'] }, 'absent'],
    ['lists only later tasks', { listed: [listedTask('late', SUBMITTED_AT_MS + 90_001)] }, 'absent'],
    ['lists two that match', { listed: many(2) }, 'unclear'],
    ['lists too many to compare', { listed: many(6), prompts: {} }, 'unclear'],
    ['lists one that a rival may have created', { listed: many(1), rivals: 1 }, 'unclear'],
    ['rejects the list request', { listStatus: 500 }, 'failed'],
    [
      'does not respond',
      { listStatus: new HttpFailure('connect', { wasSent: false, isTimeout: false, code: 'X' }) },
      'failed',
    ],
    ['does not report the status of a candidate', { listed: many(1), prompts: {} }, 'failed'],
    ['lists tasks of other prompts only', { listed: many(1), prompts: { 'up-0': 'A fox' } }, 'absent'],
  ])('does not find a submission if the upstream %s', async (_case, world, kind) => {
    expect(await find(lost(), world)).toEqual({ kind });
  });

  it('distinguishes candidates by their prompt', async () => {
    const prompts = { 'up-0': 'A fox', 'up-1': 'A paper boat' };
    expect(await find(lost(), { listed: many(2), prompts })).toEqual({ kind: 'found', upstreamTaskId: 'up-1' });
  });

  it('is unlisted if no upstream was called', async () => {
    expect(await find(lost({ upstreamCalledAtMs: null }), { listed: many(1) })).toEqual({ kind: 'unlisted' });
  });

  it('throws a bug of this process', async () => {
    await expect(find(lost(), { listStatus: new TypeError('oops') })).rejects.toThrow('oops');
  });
});
