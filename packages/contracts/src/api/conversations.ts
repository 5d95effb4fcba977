import { z } from 'zod';
import { pageLimit } from './query-number.js';
import { storedItemId, storedMetadata } from './stored-text.js';

/*
 * /v1/conversations and the lists of items. The models validate the content of an item when a response uses it.
 */

const MAX_PAIRS = 16;
/** Items that one call may add. */
const MAX_NEW_ITEMS = 20;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;

const metadata = storedMetadata.refine((pairs) => Object.keys(pairs).length <= MAX_PAIRS, {
  error: `expected at most ${MAX_PAIRS} entries`,
});

const newItem = z
  .looseObject({ type: z.string().nullish(), role: z.string().nullish(), id: storedItemId.nullish() })
  .refine(({ type, role }) => type != null || role != null, { error: "expected a 'type' or a 'role'", path: ['type'] })
  .refine(({ type }) => type !== 'item_reference', { error: 'expected the item itself', path: ['type'] });

const newItems = z.array(newItem).max(MAX_NEW_ITEMS);

export const conversationCreation = z.looseObject({ metadata: metadata.nullish(), items: newItems.nullish() });
export const conversationChange = z.looseObject({ metadata });
export const conversationItemsAddition = z.looseObject({ items: newItems.min(1) });

/** One page of items. `after`: the id of the last item of the page before. */
export const itemListQuery = z.looseObject({
  after: z.string().min(1).max(200).optional(),
  limit: pageLimit({ most: MAX_PAGE, usual: DEFAULT_PAGE }),
  order: z.enum(['asc', 'desc']).default('desc'),
});

export type ItemListQuery = z.infer<typeof itemListQuery>;

/** An item of a prompt or of a response. Its other fields depend on its type. */
export interface ResponseItem {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface ResponseItemList {
  readonly object: 'list';
  readonly data: readonly ResponseItem[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

export interface ConversationRecord {
  readonly id: string;
  readonly object: 'conversation';
  /** Unix seconds. */
  readonly created_at: number;
  readonly metadata: Readonly<Record<string, string>>;
}
