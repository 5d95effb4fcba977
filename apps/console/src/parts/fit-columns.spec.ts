import { expect, it } from '@jest/globals';
import { fitColumns, narrowTrack } from './fit-columns.js';

const COLUMNS = [
  { id: 'time', width: '8.5rem' },
  { id: 'model', width: 'minmax(9rem,1fr)' },
  { id: 'status', width: '5rem', isExtra: true },
  { id: 'duration', width: '6rem', isExtra: true },
  { id: 'cost', width: '7rem' },
] as const;

const fitted = (roomRem: number) =>
  fitColumns<(typeof COLUMNS)[number]>(COLUMNS, (column) => 'isExtra' in column, roomRem).map(({ id }) => id);

it.each([
  [Number.POSITIVE_INFINITY, ['time', 'model', 'status', 'duration', 'cost']],
  [35.5, ['time', 'model', 'status', 'duration', 'cost']],
  [35.4, ['time', 'model', 'duration', 'cost']],
  [30.4, ['time', 'model', 'cost']],
  [10, ['time', 'model', 'cost']],
])('leaves out as few columns as %s rem need, the left ones first', (roomRem, ids) => {
  expect(fitted(roomRem)).toEqual(ids);
});

it.each([
  [{ width: '8rem' }, '8rem'],
  [{ width: 'minmax(9rem,1fr)', narrowWidth: '6rem' }, '6rem'],
  [{ width: 'minmax(9rem,2fr)', narrowWidth: '1fr' }, 'minmax(4.25rem,1fr)'],
])('keeps room for a word in each column of a narrow screen', (column, track) => {
  expect(narrowTrack(column)).toBe(track);
});
