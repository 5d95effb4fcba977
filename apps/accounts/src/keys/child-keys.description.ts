import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { deleted, nextCursor, time, timeOrNull, usdText } from '../http/answers.js';
import { page } from '../http/fields.js';
import { newChild } from './child-settings.js';
import type { KeyNodeView, KeyTreeView } from './key-tree.js';
import { keyRecord, shownOnce } from './keys.description.js';

const treeFields = {
  id: z.string(),
  name: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  budget_usd: usdText.nullable().meta({ description: 'Null: only the account’s balance.' }),
  reserved_usd: usdText.meta({ description: 'The budgets of its open children.' }),
  spent_usd: usdText.meta({ description: 'The receipts of its own requests.' }),
  requests: z.int(),
  tree_spent_usd: usdText.meta({ description: 'The receipts of the key and everything below it.' }),
  tree_requests: z.int(),
  keys_below: z.int().meta({ description: 'All keys below it, also those that this page leaves out.' }),
  expires_at: timeOrNull,
  closed_at: timeOrNull.meta({ description: 'When what it left over was returned to its parent.' }),
  created_at: time,
};

const keyNodeRecord: z.ZodType<KeyNodeView> = z
  .object({
    ...treeFields,
    get children(): z.ZodReadonly<z.ZodArray<typeof keyNodeRecord>> {
      return z.array(keyNodeRecord).readonly();
    },
  })
  .meta({ id: 'KeyTree' });

const keyTreeRecord: z.ZodType<KeyTreeView> = z.object({
  ...treeFields,
  children: z.array(keyNodeRecord).readonly(),
  next_cursor: nextCursor,
});

export const treePage = z.strictObject(page);

export const CHILD_KEYS = {
  create: {
    id: 'keys.create_child',
    summary: 'Create a child key',
    description:
      'For an agent: its budget is reserved from what the parent may spend, and what it leaves over returns at its end. It may do nothing that its parent may not. A key with the scope `keys:children` makes its own children, and may call itself `self`.',
    body: newChild,
    answers: { 201: z.object({ key: shownOnce, ...keyRecord.shape }) },
    errors: ['insufficient_balance'],
    examples: { agent: { path: { id: '{keyId}' }, body: { name: 'agent', budget_usd: '0.5', minutes: 60 } } },
  },
  remove: {
    id: 'keys.delete_child',
    summary: 'Revoke a key below a key',
    description: 'Its own children end with it.',
    answers: { 200: deleted },
    examples: { one: { path: { id: '{parentId}', childId: '{childId}' } } },
  },
  tree: {
    id: 'keys.tree',
    summary: 'Read what a key and the keys below it have spent',
    description:
      'A key reads its own tree, and a member also that of a key that has ended. The first page has every open key and the newest keys that have ended; `limit` counts the ended ones, and `next_cursor` leads to older ones. The sums count all of them.',
    query: treePage,
    answers: { 200: keyTreeRecord },
    examples: { one: { path: { id: '{keyId}' } } },
  },
} satisfies Record<string, RouteDescription>;
