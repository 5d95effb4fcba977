import { describe, expect, it } from '@jest/globals';
import { readMessageBatch } from './read-message-batch.js';

const REQUEST = '{"custom_id":"a","params":{"model":"x"}}';

describe('the body of a message batch', () => {
  it('becomes a line for each request, with its bytes', async () => {
    const { lines, total, maxCostUsd } = await readMessageBatch(
      Buffer.from(`{"requests":[${REQUEST}],"max_cost_usd":"1.5"}`),
    );
    expect(lines.toString()).toBe('{"custom_id":"a","method":"POST","url":"/v1/messages","body":{"model":"x"}}\n');
    expect([total, maxCostUsd]).toEqual([1, '1.5']);
  });

  it.each([
    ['a request that is no JSON', `{"requests":[${REQUEST},{"custom_id":{"b" 1}}]}`, { param: 'requests[1]' }],
    ['a budget that is no JSON', `{"requests":[${REQUEST}],"max_cost_usd":{"a" 1}}`, { param: 'max_cost_usd' }],
    ['a body that breaks off', `{"requests":[${REQUEST}`, {}],
    ['text behind the body', `{"requests":[${REQUEST}]}"`, {}],
  ])('is refused for %s', async (_what, body, details) => {
    await expect(readMessageBatch(Buffer.from(body))).rejects.toMatchObject({
      code: 'invalid_json',
      details,
    });
  });
});
