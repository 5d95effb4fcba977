import { expect, it } from '@jest/globals';
import {
  batchCreation,
  batchListQuery,
  batchQuoteRequest,
  maxCostUsd,
  messageBatchListQuery,
  publishedBatchPath,
} from './batches.js';

it('refuses a page after an id that PostgreSQL cannot hold', () => {
  expect(batchListQuery.safeParse({ after: 'batch_1\0' }).success).toBe(false);
  expect(messageBatchListQuery.safeParse({ after_id: '\0' }).success).toBe(false);
  expect(messageBatchListQuery.safeParse({ before_id: '\0' }).success).toBe(false);
  expect(batchListQuery.parse({ after: 'batch_1' })).toEqual({ limit: 20, after: 'batch_1' });
});

it('quotes the body that creates a batch, and needs only its file and its endpoint', () => {
  const quoted = { input_file_id: 'file-1', endpoint: '/v1/chat/completions' };
  const created = { ...quoted, completion_window: '24h', metadata: { night: 'yes' }, max_cost_usd: '2.50' };
  expect(batchCreation.safeParse(created).success).toBe(true);
  expect(batchQuoteRequest.parse(created)).toEqual(created);
  expect(batchQuoteRequest.parse(quoted)).toEqual(quoted);
  expect(batchQuoteRequest.safeParse({ ...quoted, windows: '24h' }).success).toBe(false);
});

it.each(['0', '0.00', 0, '-1', '1e3', 1e9])('refuses the budget %j', (budget) => {
  expect(maxCostUsd.safeParse(budget).success).toBe(false);
});

it.each(['0.000000001', '2.50', 2.5, undefined])('takes the budget %j', (budget) => {
  expect(maxCostUsd.safeParse(budget).success).toBe(true);
});

it.each([
  ['/chat/completions', '/v1/chat/completions'],
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['chat/completions', 'chat/completions'],
  ['/audio/speech', '/audio/speech'],
  [undefined, undefined],
  [7, 7],
])('the path %j of a batch is published as %j', (path, published) => {
  expect(publishedBatchPath(path)).toBe(published);
});
