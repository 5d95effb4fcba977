import {
  type FileId,
  newBatchId,
  newFileId,
  newRequestId,
  type RequestId,
  type SyncTicket,
  taskIdOf,
} from '@gateway/contracts';
import {
  type BatchStore,
  openBatchReader,
  openBatchStore,
  openRequestReader,
  openStoredObjects,
  openTaskStore,
  type StoredObjects,
  type TaskStore,
} from '@gateway/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;
let owner: Awaited<ReturnType<AccountInterface['register']>>;
let other: Awaited<ReturnType<AccountInterface['register']>>;
let keyId: string;
let tasks: TaskStore;
let files: StoredObjects;
let batchStore: BatchStore;
const closing: (() => Promise<void>)[] = [];

const call = (method: string, path: string, token = owner.token) => accounts.call(method, path, undefined, token);

beforeAll(async () => {
  accounts = await AccountInterface.open();
  owner = await accounts.register();
  other = await accounts.register();
  keyId = (await accounts.call('POST', '/account/keys', { name: 'k' }, owner.token)).body.id;
  tasks = openTaskStore(accounts.resources.database);
  const options = {
    databaseUrl: accounts.test.databaseUrl,
    poolSize: 1,
    applicationName: 'test',
    onError: () => undefined,
  };
  files = openStoredObjects(options);
  const batches = openBatchReader(options);
  const requests = openRequestReader(options);
  batchStore = openBatchStore(options);
  closing.push(files.close, batches.close, batchStore.close, requests.close);
  const access = { accountId: owner.id, keyId, isTest: false };
  await batches.add({
    ...access,
    id: newBatchId('batch'),
    format: 'openai',
    endpoint: 'chat.completions',
    inputObject: 'files/file-a',
    inputFileId: 'file-a',
    metadata: {},
    budgetNanoUsd: 2_000_000_000n,
    outputSeconds: 60,
    windowMs: 60_000,
    total: 3,
  });
  for (let index = 0; index < 3; index += 1) {
    const requestId = newRequestId();
    const ticket = {
      requestId,
      ...access,
      endpoint: 'chat.completions',
      model: 'gm-2.5-flash',
      holdNanoUsd: '500000000',
    };
    await requests.add({
      ticket: ticket as unknown as SyncTicket,
      vendor: 'gemini',
      webhookUrl: null,
      createdAtMs: 1_800_000_000_000 + index,
      dueInMs: 60_000,
      deadlineMs: 1_900_000_000_000,
      retentionMs: undefined,
      defaultRetentionMs: 0,
      shortBody: undefined,
      bytes: 10,
      limitBytes: 1_000,
    });
  }
});

afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await accounts.close();
});

async function addTask(createdAtMs = 1_800_000_000_000) {
  const requestId = newRequestId();
  const opened = await tasks.open(
    {
      taskId: taskIdOf(requestId),
      requestId,
      accountId: owner.id as never,
      keyId: keyId as never,
      isTest: false,
      model: 'wn2.7-t2v',
      vendor: 'dashscope',
      durationSeconds: 5,
      resolution: '720p',
      aspectRatio: '16:9',
      unit: 'second',
      priceVersion: 'v1',
      unitPrices: { second: '100' },
      holdNanoUsd: '500000000',
      prompt: 'a cat',
      webhookUrl: null,
      idempotencyKey: null,
      idempotencyFingerprint: null,
      createdAtMs,
      expiresAtMs: 4_000_000_000_000,
      traceparent: null,
    },
    60_000,
  );
  if (opened.outcome !== 'opened') throw new Error(opened.outcome);
  return opened.task;
}

async function addFile(bytes = 7): Promise<FileId> {
  const id = newFileId();
  const file = { id, accountId: owner.id, keyId, isTest: false, purpose: 'user_data', filename: '=a.txt' } as const;
  await files.reserve(
    { ...file, contentType: 'text/plain', bytes, sha256: 'ab', expiresInMs: null },
    { bytes: 1_000, objects: 100 },
  );
  await files.complete(id);
  return id;
}

describe('tasks of the account', () => {
  it('are listed in pages, and show what cancelling may still cost', async () => {
    const first = await addTask(1_800_000_000_000);
    const second = await tasks.recordSubmission(await addTask(1_800_000_001_000), 'channel-1', 60_000);
    const page = (await call('GET', '/account/tasks?limit=1')).body;
    expect(page.data).toMatchObject([
      {
        id: second?.publicId,
        status: 'queued',
        hold_usd: '0.50',
        cancel_may_cost_usd: '0.50',
        usual_duration_ms: null,
      },
    ]);
    const next = (await call('GET', `/account/tasks?limit=1&cursor=${page.next_cursor}`)).body;
    expect(next.data).toMatchObject([{ id: first.publicId, cancel_may_cost_usd: '0.00', video: null }]);
  });

  it('are cancelled once, and stay unknown to other accounts', async () => {
    const { publicId } = await addTask();
    expect((await call('POST', `/account/tasks/${publicId}/cancel`, other.token)).status).toBe(404);
    expect((await call('GET', `/account/tasks/${publicId}`, other.token)).status).toBe(404);
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await call('POST', `/account/tasks/${publicId}/cancel`);
      expect([status, body.cancellation.outcome]).toEqual([200, 'pending']);
    }
    expect((await call('GET', '/account/tasks', other.token)).body.data).toEqual([]);
  });

  it.each(['status=odd', 'limit=0', 'cursor=odd', 'colour=red'])('refuse %s', async (query) => {
    const { status, body } = await call('GET', `/account/tasks?${query}`);
    expect([status, body.error.param]).toEqual([400, query.split('=')[0]]);
  });
});

describe('files of the account', () => {
  it('have an address at the gateway, and are deleted by their own account only', async () => {
    const id = await addFile();
    const [file] = (await call('GET', '/account/files')).body.data;
    expect(file).toMatchObject({ id, bytes: 7, expires_at: null, test: false });
    expect(file.content_url).toMatch(new RegExp(`^http://localhost:8080/v1/files/${id}/content\\?expires=`));
    expect((await call('DELETE', `/account/files/${id}`, other.token)).status).toBe(404);
    expect((await call('DELETE', `/account/files/${id}`)).body).toEqual({ id, deleted: true });
    expect((await call('DELETE', `/account/files/${id}`)).status).toBe(404);
    expect((await call('GET', '/account/files')).body.data).toEqual([]);
  });

  it('are one CSV file without a limit, however many pages that takes', async () => {
    for (let index = 0; index < 3; index += 1) await addFile();
    const whole = await call('GET', '/account/files?format=csv');
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="files.csv"');
    const lines = String(whole.body).trim().split('\r\n');
    expect(lines[0]).toBe('id,filename,purpose,content_type,bytes,sha256,test,created_at,expires_at');
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(["'=a.txt", "'=a.txt", "'=a.txt"]);
    const page = await call('GET', '/account/files?format=csv&limit=2');
    expect(String(page.body).trim().split('\r\n')).toHaveLength(3);
    expect(page.headers.get('x-next-cursor')).not.toBeNull();
    expect((await call('GET', '/account/files?format=csv&cursor=odd')).status).toBe(400);
  });
});

describe('batches and kept requests of the account', () => {
  it('are listed with their cost and budget, and cancelled', async () => {
    const [batch] = (await call('GET', '/account/batches')).body.data;
    expect(batch).toMatchObject({ total: 3, completed: 0, max_cost_usd: '2.00', output_file: null });
    expect((await call('POST', `/account/batches/${batch.id}/cancel`, other.token)).status).toBe(404);
    expect((await call('POST', `/account/batches/${batch.id}/cancel`)).body.status).toBe('cancelling');
    expect((await call('GET', '/account/batches?test=true')).body.data).toEqual([]);
  });

  it('have a link to their results for as long as the file is kept, also after the sweep', async () => {
    const claimed = await batchStore.claim('a worker', 60_000);
    if (claimed === null) throw new Error('not claimed');
    const { claim, batch } = claimed;
    const outputFileId = await addFile();
    const ended = { status: 'completed', errors: null, errorFileId: null, record: {} } as const;
    await batchStore.finish(claim, { ...ended, outputFileId, finishedAtMs: Date.now() });
    await batchStore.removeResults([batch.id]);
    const results = async () => (await call('GET', '/account/batches')).body.data[0].output_file;
    const url = expect.stringContaining(`/v1/files/${outputFileId}/content?expires=`);
    expect(await results()).toEqual({ id: outputFileId, url });
    await call('DELETE', `/account/files/${outputFileId}`);
    expect(await results()).toEqual({ id: outputFileId, url: null });
  });

  it('come page after page, and one that has not begun costs nothing', async () => {
    const ids: RequestId[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await call('GET', `/account/kept-requests?limit=1${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.data.map(({ id }: { id: RequestId }) => id));
      cursor = body.next_cursor;
    }
    expect(new Set(ids).size).toBe(3);
    const cancelled = (await call('POST', `/account/kept-requests/${ids[0]}/cancel`)).body;
    expect(cancelled).toMatchObject({ cancel_requested: true, cancel_may_cost_usd: '0.00' });
    expect((await call('POST', `/account/kept-requests/${ids[0]}/cancel`, other.token)).status).toBe(404);
    expect((await call('GET', '/account/kept-requests', other.token)).body.data).toEqual([]);
  });
});
