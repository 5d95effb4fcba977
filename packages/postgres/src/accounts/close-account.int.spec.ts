import { newBatchId, newConversationId, newFileId, newRequestId, responseIdOf } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { batchReaderIn, batchStoreIn } from '../batches/open-batches.js';
import { reserveObject } from '../objects/reserve-object.js';
import { requestReaderIn, requestStoreIn } from '../requests/open-request-store.js';
import { recordResponse } from '../response-state/record-response.js';
import { openTask } from '../tasks/open-task.js';
import { newDurableRequest } from '../test-support/new-durable-request.js';
import { sampleTask, TaskFixture } from '../test-support/task-fixture.js';
import { TestDatabase } from '../test-support/test-database.js';
import { closeAccount } from './close-account.js';
import { emptyClosedAccount } from './empty-closed-account.js';

let test: TestDatabase;
let tasks: TaskFixture;

beforeAll(async () => {
  test = await TestDatabase.open();
  tasks = await TaskFixture.open(test);
});
afterAll(() => test.close());

const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);

const closing = (accountId: string) => ({ accountId, personId: 'psn_none', details: {} });

describe('closeAccount', () => {
  it('asks what runs to stop, and makes what is kept due, of this account only', async () => {
    const { accountId, keyId } = tasks;
    const other = await test.account();
    const task = sampleTask(accountId, keyId, {});
    await openTask(test.database, task, 60_000);
    for (const owner of [accountId, other]) {
      await sql(`INSERT INTO store_use (account_id, bytes, objects) VALUES ('${owner}', 7, 1)`);
      await sql(`INSERT INTO stored_object (id, account_id, key_id, is_test, purpose, filename, content_type, bytes, sha256, status,
          due_at, created_at) VALUES ('file-${owner}', '${owner}', '${keyId}', false, 'batch', 'a', 'b', 7, 'c', 'ready', now(), now())`);
      await sql(`INSERT INTO conversation (id, account_id, is_test, metadata, bytes, expires_at)
        VALUES ('conv_${owner}', '${owner}', false, '{}', 5, now() + interval '1 day')`);
    }
    await sql(`INSERT INTO content_key (account_id, sealed) VALUES ('${accountId}', 'x')`);
    await sql(`UPDATE api_key SET keep_contents = true WHERE id = '${keyId}'`);
    await sql(`INSERT INTO request_content (request_id, account_id, key_id, sealed, bytes, expires_at)
      VALUES ('${newRequestId()}', '${accountId}', '${keyId}', 'x', 1, now() + interval '1 day')`);

    expect(await closeAccount(test.database, closing(accountId))).toBe(true);
    expect(await closeAccount(test.database, closing(accountId))).toBe(false);
    expect(await closeAccount(test.database, closing('acct_unknown'))).toBe(false);

    const { prisma } = test.database;
    expect(await prisma.videoTask.findUniqueOrThrow({ where: { id: task.taskId } })).toMatchObject({
      cancelOutcome: 'pending',
      cancelRequestedAt: expect.any(Date),
    });
    expect(await prisma.requestContent.count({ where: { accountId } })).toBe(0);
    expect(await prisma.contentKey.count({ where: { accountId } })).toBe(0);
    const stateOf = async (owner: string) => [
      (await prisma.storedObject.findUniqueOrThrow({ where: { id: `file-${owner}` } })).status,
      Number((await prisma.storeUse.findUniqueOrThrow({ where: { accountId: owner } })).bytes),
      (await prisma.conversation.findUniqueOrThrow({ where: { id: `conv_${owner}` } })).expiresAt < new Date(),
    ];
    expect([await stateOf(accountId), await stateOf(other)]).toEqual([
      ['deleted', 0, true],
      ['ready', 7, false],
    ]);
  });

  it('empties a large account in parts, each kind to its end', async () => {
    const { database } = test;
    const accountId = await test.account();
    const { id: keyId } = await test.key(accountId);
    const request = await requestReaderIn(database).add(newDurableRequest(accountId));
    const kept = 5_003;
    const copies = (isLine: boolean) => `
      INSERT INTO durable_request
      SELECT (jsonb_populate_record(request, jsonb_build_object('id', 'req_${isLine ? 'line' : 'shown'}' || n, 'status', 'completed',
        'finished_at', now(), 'settled_at', now(), 'expires_at', now() + interval '1 day',
        'ticket', request.ticket || '${isLine ? '{"isOfBatch": true}' : '{}'}'))).*
      FROM durable_request AS request, generate_series(1, ${kept}) AS n WHERE request.id = '${request?.requestId}'`;
    await sql(copies(false));
    await sql(copies(true));
    await sql(`INSERT INTO stored_response (id, account_id, key_id, is_test, model, status, input, response, bytes, expires_at)
      SELECT 'resp_large' || n, '${accountId}', '${keyId}', false, 'm', 'completed', '[]', '{}', 4, now() + interval '1 day'
      FROM generate_series(1, ${kept}) AS n`);
    const left = async () => {
      const { rows } = await database.pool.query(
        `SELECT (SELECT count(*) FROM durable_request WHERE account_id = $1 AND finished_at IS NOT NULL AND expires_at > now())::int AS requests,
          (SELECT count(*) FROM stored_response WHERE account_id = $1 AND expires_at > now())::int AS responses,
          (SELECT emptied_at IS NOT NULL FROM account WHERE id = $1) AS "isEmptied"`,
        [accountId],
      );
      return rows[0];
    };
    await closeAccount(database, closing(accountId));
    expect(await left()).toEqual({ requests: 6, responses: 3, isEmptied: false });
    expect(await emptyClosedAccount(database, 2)).toBe(true);
    expect(await left()).toEqual({ requests: 2, responses: 1, isEmptied: false });
    while (await emptyClosedAccount(database, 2));
    expect(await left()).toEqual({ requests: 0, responses: 0, isEmptied: true });
  });

  it('makes due at once what ends afterwards', async () => {
    const { database } = test;
    const accountId = await test.account();
    const { id: keyId } = await test.key(accountId);
    const owned = { accountId, keyId, isTest: false };
    const store = requestStoreIn(database);
    const batches = batchStoreIn(database);
    const request = newDurableRequest(accountId);
    const claim = { requestId: request.ticket.requestId, owner: 'worker', ticket: request.ticket };
    await requestReaderIn(database).add(request);
    await store.claim(claim);
    const conversation = { id: newConversationId(), position: 0n, newItems: [] };
    await sql(`INSERT INTO conversation (id, account_id, is_test, metadata, bytes, expires_at)
      VALUES ('${conversation.id}', '${accountId}', false, '{}', 5, now() + interval '1 day')`);
    await batchReaderIn(database).add({
      ...{
        ...owned,
        id: newBatchId('batch'),
        format: 'openai',
        endpoint: 'embeddings',
        metadata: {},
        budgetNanoUsd: null,
      },
      ...{ inputObject: 'files/a', inputFileId: 'file-a', outputSeconds: 60, windowMs: 60_000, total: undefined },
    });
    const batch = await batches.claim('batch-worker', 60_000);
    if (batch === null) throw new Error('the batch is not due');
    await closeAccount(database, closing(accountId));

    const endedAt = { finishedAtMs: Date.now(), record: {} as never };
    const decision = { settlement: { requestId: claim.requestId } as never, response: null, error: null };
    expect(await store.end({ ...decision, ...endedAt, claim, accountId, status: 'completed', isOfBatch: false })).toBe(
      true,
    );
    await recordResponse(database, {
      ...{ ...owned, id: responseIdOf(newRequestId()), model: 'gp-5.4', status: 'completed', previousId: null },
      ...{ input: '[]', response: '{}', outputItemIds: [], conversation },
    });
    const result = {
      ...owned,
      purpose: 'batch_output',
      filename: 'a',
      contentType: 'b',
      bytes: 1,
      sha256: 'c',
    } as const;
    for (const expiresInMs of [null, 60_000])
      await reserveObject(database, { ...result, id: newFileId(), expiresInMs }, { bytes: 1_000, objects: 100 });
    const noFiles = { errors: null, outputFileId: null, errorFileId: null };
    expect(await batches.finish(batch.claim, { ...endedAt, ...noFiles, status: 'completed' })).toBe(true);

    for (const table of ['durable_request', 'stored_response', 'conversation', 'stored_object']) {
      const { rows } = await database.pool.query(
        `SELECT DISTINCT coalesce(expires_at <= clock_timestamp(), false) AS is_due FROM ${table} WHERE account_id = $1`,
        [accountId],
      );
      expect([table, rows]).toEqual([table, [{ is_due: true }]]);
    }
    expect(await batches.expired(10)).toMatchObject([{ isDeleted: true }]);
  });
});
