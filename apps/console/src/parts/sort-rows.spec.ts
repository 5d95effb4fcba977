import { expect, it } from '@jest/globals';
import { nextOrder, sortRows, timeSorting } from './sort-rows.js';

const columns = [
  { id: 'name', title: 'Name', width: '1fr', cell: () => null, sortBy: (row: Row) => row.name },
  { id: 'price', title: 'Price', width: '1fr', cell: () => null, sortBy: (row: Row) => row.price },
  { id: 'note', title: 'Note', width: '1fr', cell: () => null },
];
interface Row {
  readonly name: string;
  readonly price: number | null;
}
const rows: readonly Row[] = [
  { name: 'b10', price: 3 },
  { name: 'b9', price: null },
  { name: 'a', price: 20 },
];

const names = (order: string | undefined) => sortRows(rows, columns, order).map(({ name }) => name);

it.each([
  [undefined, ['b10', 'b9', 'a']],
  ['name', ['a', 'b9', 'b10']],
  ['-name', ['b10', 'b9', 'a']],
  ['price', ['b10', 'a', 'b9']],
  ['-price', ['a', 'b10', 'b9']],
  ['note', ['b10', 'b9', 'a']],
  ['unknown', ['b10', 'b9', 'a']],
])('sorts by %s, and puts rows without a value last', (order, sorted) => {
  expect(names(order)).toEqual(sorted);
});

it('goes from ascending to descending to the order of the server', () => {
  expect(nextOrder(undefined, 'price')).toBe('price');
  expect(nextOrder('price', 'price')).toBe('-price');
  expect(nextOrder('-price', 'price')).toBeUndefined();
  expect(nextOrder('name', 'price')).toBe('price');
});

it.each([
  [false, '-time'],
  [true, 'time'],
])('turns a list around that the server orders by time: oldest first is %s', (isOldestFirst, order) => {
  const turned: boolean[] = [];
  const sorting = timeSorting(isOldestFirst, (next) => turned.push(next));
  expect(sorting.order).toBe(order);
  sorting.onOrder();
  expect(turned).toEqual([!isOldestFirst]);
});
