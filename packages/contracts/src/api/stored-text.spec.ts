import { expect, it } from '@jest/globals';
import { batchCreation } from './batches.js';
import { conversationChange, conversationCreation, conversationItemsAddition } from './conversations.js';
import { filename } from './files.js';

const batch = { input_file_id: 'file_1', endpoint: '/v1/chat/completions', completion_window: '24h' };

it.each([{ 'a\0': 'b' }, { a: '\0' }])('refuses metadata that PostgreSQL cannot hold: %j', (metadata) => {
  expect(batchCreation.safeParse({ ...batch, metadata }).success).toBe(false);
  expect(conversationCreation.safeParse({ metadata }).success).toBe(false);
  expect(conversationChange.safeParse({ metadata }).success).toBe(false);
});

it('refuses ids of items that PostgreSQL cannot hold', () => {
  const items = [{ role: 'user', content: 'hi', id: 'a\0' }];
  expect(conversationCreation.safeParse({ items }).success).toBe(false);
  expect(conversationItemsAddition.safeParse({ items }).success).toBe(false);
});

it('refuses a name of a file that PostgreSQL cannot hold', () => {
  expect(filename.safeParse('a\0.txt').success).toBe(false);
  expect(filename.parse('naïve \u{1f600}.txt')).toBe('naïve \u{1f600}.txt');
});

it('keeps all other metadata', () => {
  const metadata = { a: 'b\u0001 \u{1f600}' };
  expect(batchCreation.parse({ ...batch, metadata })).toEqual({ ...batch, metadata });
  expect(conversationChange.parse({ metadata })).toEqual({ metadata });
});
