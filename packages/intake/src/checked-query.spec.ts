import { batchListQuery, fileListQuery, itemListQuery, messageBatchListQuery, videosQuery } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import { checkedQuery } from './checked-query.js';

const LISTS = { batchListQuery, fileListQuery, itemListQuery, messageBatchListQuery, videosQuery };

it.each(Object.entries(LISTS))('%s refuses what is no number, and a repeated limit', (_name, schema) => {
  const refusal = (limit: unknown) => () => checkedQuery(schema, { limit });
  expect(checkedQuery(schema, { limit: '7' }).limit).toBe(7);
  for (const limit of ['abc', '', '1.5']) expect(refusal(limit)).toThrow("'limit': expected a whole number");
  expect(refusal('0')).toThrow("'limit': expected at least 1");
  expect(refusal(['5', '6'])).toThrow(
    expect.objectContaining({
      message: "'limit': expected one value, received 2.",
      details: { param: 'limit' },
    }),
  );
});
