import { GatewayError, type MessagesModelEntry, type MessagesModelList } from '@gateway/contracts';

interface Page {
  readonly limit?: unknown;
  readonly after_id?: unknown;
  readonly before_id?: unknown;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;
const WHOLE_NUMBER = /^\d{1,4}$/;

/** One page in the native messages format: after an id, before an id, or from the start. Throws a 400. */
export function messagesModelPage(all: readonly MessagesModelEntry[], query: Page): MessagesModelList {
  const limit = limitOf(query.limit);
  const { data, hasMore } =
    query.before_id === undefined ? after(all, query.after_id, limit) : before(all, query.before_id, limit);
  return { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

function limitOf(limit: unknown): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  const count = WHOLE_NUMBER.test(String(limit)) ? Number(limit) : 0;
  if (count >= 1 && count <= MAX_LIMIT) return count;
  throw new GatewayError('invalid_request', `'limit': expected a number from 1 to ${MAX_LIMIT}.`, { param: 'limit' });
}

function after(all: readonly MessagesModelEntry[], id: unknown, limit: number) {
  const from = id === undefined ? 0 : indexOf(all, id, 'after_id') + 1;
  return { data: all.slice(from, from + limit), hasMore: from + limit < all.length };
}

function before(all: readonly MessagesModelEntry[], id: unknown, limit: number) {
  const to = indexOf(all, id, 'before_id');
  return { data: all.slice(Math.max(0, to - limit), to), hasMore: to > limit };
}

function indexOf(all: readonly MessagesModelEntry[], id: unknown, param: string): number {
  const index = all.findIndex((entry) => entry.id === id);
  if (index !== -1) return index;
  throw new GatewayError('invalid_request', `'${param}': expected the id of a model of this list.`, { param });
}
