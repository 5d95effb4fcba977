import { expect, it } from '@jest/globals';
import { batchListQuery, messageBatchListQuery } from './batches.js';

it('refuses a page after an id that PostgreSQL cannot hold', () => {
  expect(batchListQuery.safeParse({ after: 'batch_1\0' }).success).toBe(false);
  expect(messageBatchListQuery.safeParse({ after_id: '\0' }).success).toBe(false);
  expect(messageBatchListQuery.safeParse({ before_id: '\0' }).success).toBe(false);
  expect(batchListQuery.parse({ after: 'batch_1' })).toEqual({ limit: 20, after: 'batch_1' });
});
