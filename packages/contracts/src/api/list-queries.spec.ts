import { expect, it } from '@jest/globals';
import { fileListQuery } from './files.js';
import { videoListQuery } from './video-generations.js';
import { videosQuery } from './videos.js';

/** Names of what a store asks for, which no client may set by them. */
const FOREIGN = { models: 'x', onlyTest: 'false', accountId: 'acct_1' };

it.each([
  ['videos.generations', videoListQuery, { limit: '2', status: 'queued' }, { limit: 2, status: 'queued' }],
  ['videos', videosQuery, { limit: '2' }, { limit: 2, order: 'desc' }],
  ['files', fileListQuery, { limit: '2' }, { limit: 2, order: 'desc' }],
] as const)('the list of %s reads no field but its own', (_name, schema, query, read) => {
  expect(schema.parse({ ...FOREIGN, ...query })).toEqual(read);
});

it.each([
  ['101', '100'],
  ['0', '1'],
  ['1.5', 'expected a whole number'],
  ['a', 'expected a whole number'],
])('a limit of %s of a list of videos is refused with %s', (limit, expected) => {
  expect(videosQuery.safeParse({ limit }).error?.issues[0]?.message).toContain(expected);
});

it('the older list of videos has one order', () => {
  expect(videoListQuery.parse({ order: '__proto__' })).toEqual({ limit: 20 });
  expect(videosQuery.safeParse({ order: '__proto__' }).error?.issues[0]?.path).toEqual(['order']);
});
