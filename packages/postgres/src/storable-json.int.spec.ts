import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toStorableJson } from './storable-json.js';
import { TestDatabase } from './test-support/test-database.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await TestDatabase.open();
});

afterAll(() => test.close());

const stored = async (value: unknown): Promise<unknown> => {
  const [row] = await test.database.prisma.$queryRaw<
    { stored: unknown }[]
  >`SELECT ${toStorableJson(value)}::jsonb AS stored`;
  return row?.stored;
};

it('storableJson gives JSON that PostgreSQL stores, for any text', async () => {
  expect(await stored({ message: 'a\u0000b', half: 'x\ud800', deep: [{ whole: '😀' }] })).toEqual({
    message: 'a\uFFFDb',
    half: 'x\uFFFD',
    deep: [{ whole: '😀' }],
  });
  expect(await stored({ 'a\u0000': 1, 'x\ud800': [{ '\\u0000': '\\ud800' }] })).toEqual({
    'a\uFFFD': 1,
    'x\uFFFD': [{ '\\u0000': '\\ud800' }],
  });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      expect(await stored([text])).toEqual([text.replaceAll('\u0000', '\uFFFD').toWellFormed()]);
    }),
    { numRuns: 100 },
  );
});
