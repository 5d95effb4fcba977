import { type FileId, newFileId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObjectAccess } from '../objects/find-object.js';
import { storedObjectsIn } from '../objects/open-stored-objects.js';
import { findTask } from '../tasks/find-task.js';
import { listTasks } from '../tasks/list-tasks.js';
import { openTask } from '../tasks/open-task.js';
import { sampleTask } from '../test-support/task-fixture.js';
import { TestDatabase } from '../test-support/test-database.js';
import { untilDue } from '../test-support/until-due.js';
import { listResultOrigins } from './list-result-origins.js';
import { fetchedResultsIn } from './open-fetched-results.js';

let test: TestDatabase;
let accountId: string;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  accountId = await test.account();
});

afterAll(() => test.close());

const results = () => fetchedResultsIn(test.database);

async function add(expiresIn = '1 hour'): Promise<FileId> {
  const id = newFileId();
  await test.database.prisma.$executeRawUnsafe(`
    INSERT INTO fetched_result (file_id, task_id, part, account_id, key_id, is_test, source_url, source_expires_at)
    VALUES ('${id}', 'task_${id}', 'video', '${accountId}', 'key_a', false, 'https://a.example/${id}',
      now() + interval '${expiresIn}')`);
  return id;
}

const attempt = (fileId: FileId, attempts = 0) => ({ fileId, attempts });

const claim = async (limit: number, leaseMs: number) => {
  await untilDue();
  return results().claim(limit, leaseMs);
};

const sourceOf = (id: string, reader: ObjectAccess | null = null) =>
  storedObjectsIn(test.database).findSource(reader, id);

describe('images of a request', () => {
  const image = (index: number, more: object = {}) => ({
    ...{ fileId: newFileId(), taskId: `req_${accountId}`, accountId, keyId: 'key_a', part: `image_${index}` as const },
    ...{ sourceUrl: `https://a.example/${index}?a=1&b="x"`, sourceLastsMs: 3_600_000, ...more },
  });

  it('are added together, and replaced by those of a second run', async () => {
    const first = [image(0), image(1)];
    await results().addImages(first);
    expect((await claim(10, -1)).map(({ fileId, part, sourceUrl }) => [fileId, part, sourceUrl])).toEqual(
      first.map(({ fileId, part, sourceUrl }) => [fileId, part, sourceUrl]),
    );
    const second = [image(0), image(1)];
    await results().addImages(second);
    const claimed = await claim(10, 60_000);
    expect(claimed).toMatchObject(second.map(({ fileId }) => ({ fileId })));
    expect(claimed).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    for (const claimed of second) await results().end({ ...claimed, attempts: 1 }, { status: 'stored', media: null });
  });

  it('are added together or not at all', async () => {
    const [good, wrong] = [image(2), image(3, { part: 'poster' })];
    await expect(results().addImages([good, wrong])).rejects.toThrow();
    expect(await sourceOf(good.fileId)).toBeNull();
  });
});

describe('the result of a video', () => {
  it('is kept as long as the client of its task asked', async () => {
    const { id: keyId } = await test.key(accountId);
    const task = sampleTask(accountId, keyId, { retainSeconds: 600 });
    expect((await openTask(test.database, task, 60_000)).outcome).toBe('opened');
    const id = await add();
    await test.database.prisma.$executeRaw`UPDATE fetched_result SET task_id = ${task.taskId} WHERE file_id = ${id}`;
    expect(await claim(10, 60_000)).toMatchObject([{ fileId: id, taskId: task.taskId, retainMs: 600_000 }]);
    await results().end(attempt(id, 1), { status: 'stored', media: null });
  });
});

describe('a result that is still at its vendor', () => {
  it('is found and deleted by keys that may use as much as its key', async () => {
    const { id: keyId } = await test.key(accountId, null, { models: ['a'] });
    const id = await add();
    await test.database.prisma.$executeRaw`UPDATE fetched_result SET key_id = ${keyId} WHERE file_id = ${id}`;
    const [other, same] = ['b', 'a'].map((model) => ({ accountId, isTest: false, models: [model], endpoints: null }));
    if (other === undefined || same === undefined) throw new Error('two readers were made');
    const objects = storedObjectsIn(test.database);
    expect(await sourceOf(id, other)).toBeNull();
    expect(await objects.delete(other, id)).toBe(false);
    expect(await sourceOf(id, same)).toMatchObject({ isLeft: false });
    expect(await objects.delete(same, id)).toBe(true);
  });
});

describe('a task, as its customer reads it', () => {
  it('names the files of its content that are gone', async () => {
    const { id: keyId } = await test.key(accountId);
    const task = sampleTask(accountId, keyId, {});
    await openTask(test.database, task, 60_000);
    const [video, frame] = [await add(), await add()];
    const content = { video_url: 'https://a.example/v', file_id: video, last_frame_file_id: frame };
    await test.database.prisma.$executeRaw`
      UPDATE video_task SET content = ${JSON.stringify(content)}::jsonb WHERE id = ${task.taskId}`;
    const reader = { accountId, onlyTest: false };
    const gone = async () => {
      const found = await findTask(test.database, reader, task.taskId);
      const listed = await listTasks(test.database, reader, { after: null, limit: 10 });
      expect(listed.find(({ taskId }) => taskId === task.taskId)?.goneFileIds).toEqual(found?.goneFileIds);
      return found?.goneFileIds;
    };
    expect(await gone()).toEqual([]);
    await results().end(attempt(frame), { status: 'passed_on', reason: 'too_large' });
    expect(await gone()).toEqual([]);
    expect(await storedObjectsIn(test.database).delete({ accountId, isTest: false }, frame)).toBe(true);
    expect(await gone()).toEqual([frame]);
    await results().end(attempt(video), { status: 'stored', media: null });
    await test.database.prisma.$executeRaw`
      INSERT INTO stored_object (id, account_id, key_id, is_test, status, bytes, sha256, purpose, filename, content_type, due_at, expires_at)
      VALUES (${video}, ${accountId}, ${keyId}, false, 'ready', 1, 'x', 'generation', 'v.mp4', 'video/mp4', now(), now() + interval '1 hour')`;
    expect(await gone()).toEqual([frame]);
    await test.database.prisma.$executeRaw`
      UPDATE stored_object SET expires_at = now() - interval '1 second' WHERE id = ${video}`;
    expect(await gone()).toEqual([video, frame]);
  });
});

describe('a result to fetch', () => {
  it('is claimed by one worker, and again when its lease has ended', async () => {
    const id = await add();
    const claims = await Promise.all([claim(10, 60_000), claim(10, 60_000)]);
    expect(claims.flat().filter(({ fileId }) => fileId === id)).toMatchObject([{ attempts: 1, billedSeconds: null }]);
    expect(await results().retry(attempt(id, 1), 'status', -1)).toBe(true);
    expect(await claim(10, 60_000)).toMatchObject([{ fileId: id, attempts: 2 }]);
    expect(await results().backlog()).toMatchObject({ pending: 1 });
    await results().end(attempt(id, 2), { status: 'stored', media: { contentType: 'video/mp4', width: 1, height: 2 } });
    await results().retry(attempt(id, 2), 'late', -1);
    expect(await claim(10, 60_000)).toEqual([]);
    expect(await results().backlog()).toEqual({ pending: 0, oldestSeconds: 0 });
  });

  it('is lost if its address ends before the next attempt, by the clock of PostgreSQL alone', async () => {
    const [long, short] = [await add(), await add()];
    await claim(10, 60_000);
    expect(await results().retry(attempt(long, 1), 'status', 3_000_000)).toBe(true);
    expect(await results().retry(attempt(short, 1), 'status', 3_700_000)).toBe(false);
    const origins = await listResultOrigins(test.database, accountId, [`task_${long}`, `task_${short}`]);
    expect(Object.fromEntries(origins.map(({ fileId, status, reason }) => [fileId, [status, reason]]))).toEqual({
      [long]: ['pending', 'status'],
      [short]: ['lost', 'status'],
    });
    await results().return(attempt(long, 1), 'stopped');
    expect(await claim(10, 60_000)).toMatchObject([{ fileId: long, attempts: 2 }]);
    await results().end(attempt(long, 2), { status: 'stored', media: null });
  });

  it('is kept by who renews it, and changed no more by who has lost it', async () => {
    const id = await add();
    await claim(10, -1);
    const [again] = await claim(10, 60_000);
    expect(again).toMatchObject({ fileId: id, attempts: 2 });
    const [lost, held] = [attempt(id, 1), attempt(id, 2)];
    expect(await results().renew([lost], -1)).toEqual([]);
    await results().retry(lost, 'timeout', -1);
    await results().end(lost, { status: 'lost', reason: 'timeout' });
    expect(await claim(10, 60_000)).toEqual([]);
    expect(await results().renew([held], -1)).toEqual([id]);
    expect(await claim(10, 60_000)).toMatchObject([{ fileId: id, attempts: 3 }]);
    await results().end(attempt(id, 3), { status: 'stored', media: null });
    expect(await results().renew([attempt(id, 3)], 60_000)).toEqual([]);
  });

  it('leads to its vendor until it is stored or the address ends, for its account only', async () => {
    const [pending, passedOn, stored, ended] = [await add(), await add(), await add(), await add('-1 second')];
    await results().end(attempt(passedOn), { status: 'passed_on', reason: 'too_large' });
    await results().end(attempt(stored), { status: 'stored', media: null });
    for (const id of [pending, passedOn]) {
      expect(await sourceOf(id)).toEqual({ sourceUrl: `https://a.example/${id}`, isLeft: id === passedOn });
      expect(await sourceOf(id, { accountId, isTest: false })).not.toBeNull();
      expect(await sourceOf(id, { accountId, isTest: true })).toBeNull();
      expect(await sourceOf(id, { accountId: await test.account(), isTest: false })).toBeNull();
    }
    expect([await sourceOf(stored), await sourceOf(ended)]).toEqual([null, null]);
  });

  it("is listed with its vendor's address by its task, for its account only", async () => {
    const id = await add();
    await results().end(attempt(id), { status: 'passed_on', reason: 'too_large' });
    const task = [`task_${id}`, 'task_none'];
    expect(await listResultOrigins(test.database, accountId, task)).toEqual([
      {
        ...{ fileId: id, part: 'video', status: 'passed_on', reason: 'too_large', attempts: 0 },
        ...{ sourceUrl: `https://a.example/${id}`, sourceExpiresAt: expect.any(Date) },
      },
    ]);
    expect(await listResultOrigins(test.database, await test.account(), task)).toEqual([]);
    expect(await listResultOrigins(test.database, accountId, [])).toEqual([]);
  });

  it('is forgotten long after its address has ended', async () => {
    const [old, recent] = [await add('-10 days'), await add('-1 day')];
    for (const id of [old, recent]) await results().end(attempt(id), { status: 'lost', reason: 'status' });
    expect(await results().removeOld(5 * 24 * 3_600_000, 10)).toBe(1);
    const left = await test.database.prisma.fetchedResult.findMany({ where: { fileId: { in: [old, recent] } } });
    expect(left.map(({ fileId }) => fileId)).toEqual([recent]);
  });
});
