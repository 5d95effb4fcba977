import {
  GatewayError,
  type IdentifiedItem,
  type ItemListQuery,
  type ResponseItemList,
  renderResponseItem,
} from '@gateway/contracts';

/** A page of items that are already in the order of the list. */
export function itemList(items: readonly IdentifiedItem[], hasMore: boolean): ResponseItemList {
  const data = items.map(renderResponseItem);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** One page of all items, the oldest first. Throws a 400 for an unknown `after`. */
export function pageOf(all: readonly IdentifiedItem[], { after, limit, order }: ItemListQuery): ResponseItemList {
  const ordered = order === 'asc' ? all : all.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw unknownAfter();
  return itemList(ordered.slice(start, start + limit), start + limit < ordered.length);
}

export const unknownAfter = (): GatewayError =>
  new GatewayError('invalid_request', "'after': expected the id of an item of this list.", { param: 'after' });
